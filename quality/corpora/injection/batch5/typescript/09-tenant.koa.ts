import Koa, { Context, Next } from 'koa';
import Router from '@koa/router';
import { Pool, PoolClient } from 'pg';
import format from 'pg-format';

interface TenantState {
  tenant: string;
  db: PoolClient;
}

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const app = new Koa<TenantState>();
const router = new Router<TenantState>();

function first(value: string | string[] | undefined, fallback: string): string {
  return (Array.isArray(value) ? value[0] : value) ?? fallback;
}

async function identifyTenant(ctx: Context, next: Next): Promise<void> {
  const token = ctx.get('authorization').replace(/^Bearer /, '');
  const [, payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  ctx.state.tenant = claims.tenant ?? 'demo';
  await next();
}

async function openSession(ctx: Context, next: Next): Promise<void> {
  const db = await pool.connect();
  try {
    await db.query(`SET search_path TO ${ctx.state.tenant}, public`);
    ctx.state.db = db;
    await next();
  } finally {
    db.release();
  }
}

router.get('/members', async (ctx) => {
  const sort = first(ctx.query.sort, 'joined_at');
  const search = first(ctx.query.search, '');
  const text = format('SELECT id, name FROM members WHERE name ILIKE %L ORDER BY %s', `${search}%`, sort);
  const { rows } = await ctx.state.db.query(text);
  ctx.body = rows;
});

router.get('/members/by-email', async (ctx) => {
  const email = ctx.state.db.escapeLiteral(first(ctx.query.email, ''));
  const { rows } = await ctx.state.db.query(`SELECT id, name FROM members WHERE email = ${email}`);
  ctx.body = rows[0] ?? null;
});

router.get('/lists/:name', async (ctx) => {
  const statement = format('SELECT * FROM %I WHERE archived = false LIMIT 50', `list_${ctx.params.name}`);
  const { rows } = await ctx.state.db.query(statement);
  ctx.body = rows;
});

router.post('/members/:id/touch', async (ctx) => {
  const columns = ctx.state.db.escapeLiteral(first(ctx.query.column, 'seen_at')).slice(1, -1);
  await ctx.state.db.query(`UPDATE members SET ${columns} = now() WHERE id = $1`, [ctx.params.id]);
  ctx.status = 204;
});

app.use(identifyTenant);
app.use(openSession);
app.use(router.routes());
app.listen(3000);

import Koa from 'koa';
import Router from '@koa/router';
import mysql from 'mysql2';

const pool = mysql.createPool({ host: 'db', database: 'grid' }).promise();
const router = new Router();

function esc(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/'/g, "\\'");
}

router.get('/grid', async (ctx) => {
  const sort = esc(String(ctx.query.sort ?? 'id'));
  const [rows] = await pool.query(`SELECT * FROM cell ORDER BY ${sort}`);
  ctx.body = rows;
});

router.get('/grid/named', async (ctx) => {
  const [rows] = await pool.query(`SELECT * FROM cell ORDER BY ${mysql.escapeId(String(ctx.query.sort ?? 'id'))}`);
  ctx.body = rows;
});

router.get('/grid/page', async (ctx) => {
  const size = esc(String(ctx.query.size ?? '10'));
  const from = esc(String(ctx.query.from ?? '0'));
  const [rows] = await pool.query(`SELECT * FROM cell LIMIT ${size} OFFSET ${from}`);
  ctx.body = rows;
});

router.get('/grid/one', async (ctx) => {
  const id = esc(String(ctx.query.id));
  const [rows] = await pool.query(`SELECT * FROM cell WHERE id = ${id}`);
  ctx.body = rows;
});

new Koa().use(router.routes()).listen(3000);

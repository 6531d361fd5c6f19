import { Prisma, PrismaClient } from '@prisma/client';
import Koa, { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import Router from '@koa/router';

const prisma = new PrismaClient();

interface Standing {
  pilot: string;
  points: number;
}

type Handler = (ctx: Context) => Promise<unknown>;

const one = (value: string | string[] | undefined, fallback = ''): string =>
  (Array.isArray(value) ? value[0] : value) ?? fallback;

const standings: Handler = (ctx) => {
  const discipline = one(ctx.query.discipline, 'precision');
  return prisma.$queryRaw<Standing[]>`
    SELECT pilot, SUM(points) AS points FROM flights
    WHERE discipline = ${discipline} GROUP BY pilot ORDER BY points DESC`;
};

const wind: Handler = (ctx) => {
  const field = one(ctx.query.field);
  const hours = one(ctx.query.hours, '6');
  return prisma.$queryRawUnsafe(
    `SELECT measured_at, speed FROM wind WHERE field = $1 AND measured_at > now() - interval '${hours} hours'`,
    field,
  );
};

const pilots: Handler = (ctx) => {
  const club = one(ctx.query.club);
  const country = one(ctx.query.country);
  return prisma.$queryRawUnsafe('SELECT id, name FROM pilots WHERE club = $1 AND country = $2', club, country);
};

const kites: Handler = (ctx) => {
  const ids = one(ctx.query.ids)
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length === 0) return Promise.resolve([]);
  return prisma.$queryRaw(Prisma.sql`SELECT * FROM kites WHERE code IN (${Prisma.join(ids)})`);
};

const ranking: Handler = (ctx) => {
  const direction = one(ctx.query.direction, 'DESC');
  const day = one(ctx.query.day);
  return prisma.$queryRaw(
    Prisma.sql`SELECT pilot, rank FROM rankings WHERE day = ${day} ORDER BY rank ${Prisma.raw(direction)}`,
  );
};

const disqualify: Handler = async (ctx) => {
  const { pilot, reason } = ctx.request.body as { pilot: number; reason: string };
  const text = reason.replace(/[;"]/g, ' ');
  const changed = await prisma.$executeRawUnsafe(
    `UPDATE pilots SET disqualified = '${text}' WHERE id = ${Number(pilot)}`,
  );
  return { changed };
};

const router = new Router();
const table: Record<string, Handler> = { standings, wind, pilots, kites, ranking };
for (const [name, handler] of Object.entries(table)) {
  router.get(`/${name}`, async (ctx) => {
    ctx.body = await handler(ctx);
  });
}
router.post('/disqualify', async (ctx) => {
  ctx.body = await disqualify(ctx);
});

new Koa().use(bodyParser()).use(router.routes()).listen(3066);

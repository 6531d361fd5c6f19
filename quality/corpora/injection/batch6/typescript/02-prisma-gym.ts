import { PrismaClient, Prisma } from '@prisma/client';
import express, { NextFunction, Request, Response } from 'express';
import { z } from 'zod';

const prisma = new PrismaClient();
const app = express();
app.use(express.json());

type Handler = (req: Request, res: Response) => Promise<void>;

const guard =
  (handler: Handler) =>
  (req: Request, res: Response, next: NextFunction): void => {
    handler(req, res).catch(next);
  };

const Ranking = z.object({
  by: z.enum(['visits', 'minutes', 'streak']),
  top: z.coerce.number().int().positive().max(100).default(10),
});

const Search = z.object({
  trainer: z.string().min(1).max(120),
});

const Freeze = z.object({
  memberIds: z.array(z.number().int()),
  period: z.string(),
});

app.get(
  '/ranking',
  guard(async (req, res) => {
    const { by, top } = Ranking.parse(req.query);
    const rows = await prisma.$queryRawUnsafe(`SELECT id, ${by} FROM members ORDER BY ${by} DESC LIMIT ${top}`);
    res.json(rows);
  }),
);

app.get(
  '/sessions',
  guard(async (req, res) => {
    const { trainer } = Search.parse(req.query);
    const rows = await prisma.$queryRawUnsafe(
      `SELECT s.id, s.starts_at FROM sessions s JOIN trainers t ON t.id = s.trainer_id WHERE t.name = '${trainer}'`,
    );
    res.json(rows);
  }),
);

app.get(
  '/visits',
  guard(async (req, res) => {
    const since = String(req.query.since ?? '2024-01-01');
    const filter = req.query.club
      ? Prisma.sql`AND club = ${String(req.query.club)}`
      : Prisma.empty;
    const rows = await prisma.$queryRaw`SELECT id FROM visits WHERE day >= ${since}::date ${filter}`;
    res.json(rows);
  }),
);

app.get(
  '/lockers',
  guard(async (req, res) => {
    const rows = await prisma.$queryRawUnsafe('SELECT id FROM lockers WHERE zone = $1', String(req.query.zone));
    res.json(rows);
  }),
);

app.post(
  '/freeze',
  guard(async (req, res) => {
    const { memberIds, period } = Freeze.parse(req.body);
    const changed = await prisma.$executeRawUnsafe(
      `UPDATE members SET frozen_until = now() + interval '${period}' WHERE id IN (${memberIds.join(',')})`,
    );
    res.json({ changed });
  }),
);

app.listen(4102);

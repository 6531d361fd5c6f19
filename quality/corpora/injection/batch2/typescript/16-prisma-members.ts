import express, { Request, Response } from 'express';
import { PrismaClient, Prisma } from '@prisma/client';

const prisma = new PrismaClient();
const app = express();

app.get('/members/by-city', async (req: Request, res: Response) => {
  const city = String(req.query.city);
  const rows = await prisma.$queryRaw`SELECT id, name FROM members WHERE city = ${city}`;
  res.json(rows);
});

app.get('/members/by-club', async (req: Request, res: Response) => {
  const club = String(req.query.club);
  const rows = await prisma.$queryRawUnsafe(`SELECT id, name FROM members WHERE club = '${club}'`);
  res.json(rows);
});

app.delete('/members/tags', async (req: Request, res: Response) => {
  const names = ([] as string[]).concat(req.query.name as string | string[]);
  const list = names.map((n) => `'${n}'`).join(',');
  const count = await prisma.$executeRawUnsafe('DELETE FROM tags WHERE name IN (' + list + ')');
  res.json({ count });
});

app.listen(3000);

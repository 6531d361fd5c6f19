import express, { Request, Response } from 'express';
import { Prisma, PrismaClient } from '@prisma/client';

const prisma = new PrismaClient();
const app = express();
app.use(express.json());

interface MemberRow {
  id: number;
  email: string;
}

app.get('/members', async (req: Request, res: Response) => {
  const email = String(req.query.email ?? '');
  const rows = await prisma.$queryRaw<MemberRow[]>`SELECT id, email FROM member WHERE email = ${email}`;
  res.json(rows);
});

app.get('/members/in-city', async (req: Request, res: Response) => {
  const { city, plan } = req.query as Record<string, string>;
  const rows = await prisma.$queryRawUnsafe<MemberRow[]>(
    `SELECT id, email FROM member WHERE plan = $1 AND city = '${city}'`,
    plan
  );
  res.json(rows);
});

app.delete('/members', async (req: Request, res: Response) => {
  const domain = String(req.query.domain);
  await prisma.$executeRawUnsafe("DELETE FROM member WHERE email LIKE '%@" + domain + "'");
  res.sendStatus(204);
});

app.post('/members/tags', async (req: Request, res: Response) => {
  const ids: number[] = (req.body.ids as unknown[]).map(Number).filter(Number.isInteger);
  if (ids.length === 0) {
    res.sendStatus(400);
    return;
  }
  const changed = await prisma.$executeRaw(
    Prisma.sql`UPDATE member SET tag = ${req.body.tag} WHERE id IN (${Prisma.join(ids)})`
  );
  res.json({ changed });
});

app.listen(3000);

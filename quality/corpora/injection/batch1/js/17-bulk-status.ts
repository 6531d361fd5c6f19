import express, { Request, Response } from 'express';
import { DataSource } from 'typeorm';

const ds = new DataSource({ type: 'postgres', url: process.env.PG_URL });
const router = express.Router();

router.get('/bulk/status', async (req: Request, res: Response) => {
  const ids = String(req.query.ids ?? '')
    .split(',')
    .map((x) => Number.parseInt(x, 10))
    .filter((n) => Number.isInteger(n));
  if (ids.length === 0) {
    return res.json([]);
  }
  const rows = await ds.query(`SELECT id, status FROM jobs WHERE id IN (${ids.join(',')})`);
  return res.json(rows);
});

router.get('/bulk/names', async (req: Request, res: Response) => {
  const names = String(req.query.names ?? '')
    .split(',')
    .filter((n) => n.length > 0)
    .map((n) => `'${n.trim()}'`)
    .join(', ');
  const rows = await ds.query(`SELECT id, status FROM jobs WHERE name IN (${names})`);
  return res.json(rows);
});

export { router, ds };

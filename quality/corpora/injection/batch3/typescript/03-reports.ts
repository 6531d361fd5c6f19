import Fastify from 'fastify';
import { Pool } from 'pg';

const pool = new Pool();
const app = Fastify();

type ReportQuery = { by?: string; dir?: string; region?: string; year?: string };

function orderColumn(by: string | undefined): string {
  switch (by) {
    case 'amount':
      return 'amount';
    case 'region':
      return 'region';
    default:
      return 'booked_on';
  }
}

function orderAny(by: string | undefined): string {
  switch (by) {
    case 'amount':
      return 'amount';
    case undefined:
      return 'booked_on';
    default:
      return by;
  }
}

app.get<{ Querystring: ReportQuery }>('/reports/sales', async (req) => {
  const dir = req.query.dir === 'desc' ? 'DESC' : 'ASC';
  const text = `SELECT * FROM sale WHERE region = $1 ORDER BY ${orderColumn(req.query.by)} ${dir}`;
  const { rows } = await pool.query(text, [req.query.region]);
  return rows;
});

app.get<{ Querystring: ReportQuery }>('/reports/returns', async (req) => {
  const text = `SELECT * FROM sale_return WHERE region = $1 ORDER BY ${orderAny(req.query.by)}`;
  const { rows } = await pool.query(text, [req.query.region]);
  return rows;
});

app.get<{ Querystring: ReportQuery }>('/reports/year', async (req) => {
  const year = (req.query.year ?? '').replace(/'/g, "''");
  const { rows } = await pool.query({ text: `SELECT sum(amount) FROM sale WHERE fiscal_year = ${year}` });
  return rows[0];
});

app.listen({ port: 3001 });

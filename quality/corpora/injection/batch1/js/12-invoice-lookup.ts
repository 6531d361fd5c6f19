import Koa from 'koa';
import mysql from 'mysql2/promise';

const pool = mysql.createPool({ host: 'db', database: 'billing' });
const app = new Koa();

class NotNumeric extends Error {
  constructor(public readonly raw: string) {
    super('not numeric');
  }
}

function toId(raw: string): number {
  if (!/^\d+$/.test(raw)) {
    throw new NotNumeric(raw);
  }
  return Number(raw);
}

app.use(async (ctx) => {
  const raw = String(ctx.query.ref ?? '');
  try {
    const id = toId(raw);
    const [rows] = await pool.query(`SELECT * FROM invoice WHERE id = ${id}`);
    ctx.body = rows;
  } catch (e) {
    if (e instanceof NotNumeric) {
      const [rows] = await pool.query(`SELECT * FROM invoice WHERE ref = '${e.raw}'`);
      ctx.body = rows;
      return;
    }
    throw e;
  }
});

app.listen(3000);

import express from 'express';
import { Pool } from 'pg';
import { appendFile } from 'node:fs/promises';

const pool = new Pool({ max: 4 });
const app = express();
app.use(express.json());

app.post('/audit/query', async (req, res) => {
  const actor: string = req.body.actor;
  let sql = 'SELECT at, action FROM audit';
  {
    const actor = 'system';
    sql += ` WHERE actor <> '${actor}'`;
  }
  const visible = await pool.query(sql);

  let filter = 'true';
  if (actor) {
    const prefix = actor;
    filter = `actor = '${prefix}'`;
  }
  const own = await pool.query('SELECT at, action FROM audit WHERE ' + filter);

  await appendFile('/var/log/audit-api.log', `${own.rowCount} of ${visible.rowCount}\n`);
  res.json(own.rows);
});

app.get('/audit/ping', (_req, res) => {
  res.send('pong');
});

app.listen(3005);

import express from 'express';
import path from 'node:path';
import postgres from 'postgres';

const sql = postgres(process.env.CANAL_DSN);
const app = express();
const MAPS = '/srv/canal/maps';

app.use(express.urlencoded({ extended: false }));

app.param('lock', (req, res, next, value) => {
  if (!/^L\d{1,4}$/.test(value)) {
    res.status(404).end();
    return;
  }
  req.lock = value;
  next();
});

function period(req, res, next) {
  const { from = '2000-01-01', to = '2100-01-01' } = req.query;
  req.period = { from, to };
  if (from > to) {
    return next(new Error('period is upside down'));
  }
  next();
}

const wrap = (fn) => (req, res, next) => fn(req, res).catch(next);

app.get('/locks/:lock/levels', period, wrap(async (req, res) => {
  const rows = await sql`
    SELECT taken_at, upper, lower FROM levels
    WHERE lock = ${req.lock} AND taken_at BETWEEN ${req.period.from} AND ${req.period.to}`;
  res.json(rows);
}));

app.get('/locks/:lock/passages', period, wrap(async (req, res) => {
  const { from, to } = req.period;
  const rows = await sql.unsafe(
    `SELECT boat, passed_at FROM passages WHERE lock = '${req.lock}' AND passed_at BETWEEN '${from}' AND '${to}'`
  );
  res.json(rows);
}));

app.get('/locks/:lock/keeper', wrap(async (req, res) => {
  const [row] = await sql.unsafe(`SELECT keeper FROM locks WHERE code = '${req.lock}'`);
  res.json(row ?? {});
}));

app.get('/maps', (req, res) => {
  res.sendFile(String(req.query.sheet), { root: MAPS });
});

app.get('/plans', (req, res) => {
  const sheet = String(req.query.sheet);
  res.sendFile(path.resolve(MAPS, 'plans', sheet));
});

app.post('/permits/print', (req, res) => {
  const blocked = ['/etc', '/proc', '/root'];
  const file = path.join('/srv/canal/permits', req.body.permit ?? '');
  if (blocked.some((prefix) => file.startsWith(prefix))) {
    res.status(403).end();
    return;
  }
  res.download(file);
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(3090);

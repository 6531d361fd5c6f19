import Database from 'better-sqlite3';
import fs from 'node:fs';
import path from 'node:path';

const db = new Database(process.env.FERRY_DB ?? 'ferry.db');
const DOCS = path.join(process.cwd(), 'docs');

const ORDER = Object.freeze({
  departure: 'ORDER BY departs_at',
  price: 'ORDER BY price, departs_at',
});

function timetable({ query }, res) {
  const order = query.by === 'price' ? ORDER.price : ORDER.departure;
  const rows = db
    .prepare(`SELECT * FROM sailings WHERE harbour = @harbour AND day = @day ${order}`)
    .all({ harbour: query.harbour, day: query.day });
  res.status(200).json(rows);
}

function cabins({ query }, res) {
  const deck = query.deck || '5';
  const statement = db.prepare(`SELECT number, beds FROM cabins WHERE deck = ${deck} AND ship = ?`);
  res.status(200).json(statement.all(query.ship));
}

function cancel({ body }, res) {
  const reason = String(body.reason ?? '').replace(/'/g, "\\'");
  db.exec(`UPDATE bookings SET state = 'cancelled', reason = '${reason}' WHERE code = 'C${Number(body.code)}'`);
  res.status(204).end();
}

function document({ query }, res) {
  const parts = [].concat(query.slug ?? []);
  if (!parts.length || !parts.every((p) => /^[a-z0-9]+(\.pdf)?$/.test(p))) {
    res.status(404).end();
    return;
  }
  res.setHeader('content-type', 'application/pdf');
  res.send(fs.readFileSync(path.join(DOCS, ...parts)));
}

function notice({ query }, res) {
  const parts = [].concat(query.slug ?? []);
  if (!parts.some((p) => /^[a-z0-9]+\.txt$/.test(p))) {
    res.status(404).end();
    return;
  }
  const file = path.join(DOCS, 'notices', parts.join('/'));
  res.setHeader('content-type', 'text/plain');
  res.send(fs.readFileSync(file, 'utf8'));
}

const actions = { timetable, cabins, cancel, document, notice };

export default function handler(req, res) {
  const action = actions[req.query.action];
  if (typeof action !== 'function') {
    res.status(404).json({ error: 'action' });
    return;
  }
  try {
    action(req, res);
  } catch (err) {
    console.error(err);
    res.status(500).json({ error: 'failed' });
  }
}

import Database from 'better-sqlite3';
import { createServer } from 'node:http';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const db = new Database(process.env.LEDGER_FILE ?? 'ledger.db');
const OUT = '/srv/ledger/out';

const sql = (strings, ...values) => ({ text: strings.join('?'), values });
const all = ({ text, values }) => db.prepare(text).all(...values);

const operators = { min: '>=', max: '<=', exact: '=' };

function filters(params) {
  return [...params.entries()]
    .filter(([key]) => key in operators)
    .reduce((acc, [key, value]) => `${acc} AND amount ${operators[key]} ${value}`, 'WHERE 1 = 1');
}

const handlers = {
  '/entries': (params) =>
    all(sql`SELECT id, amount FROM entries WHERE account = ${params.get('account')} AND year = ${params.get('year')}`),

  '/balance': (params) => {
    const statement = db.prepare('SELECT sum(amount) AS total FROM entries WHERE account = @account');
    return statement.get({ account: params.get('account') });
  },

  '/filter': (params) => db.prepare(`SELECT id, amount FROM entries ${filters(params)}`).all(),

  '/close': (params) => {
    const account = params.get('account');
    db.exec(`UPDATE entries SET closed = 1 WHERE account = "${account}"`);
    return { closed: account };
  },

  '/export': (params) => {
    const rows = db.prepare('SELECT id, amount FROM entries').all();
    let name = params.get('name');
    if (!name || !/^[\w-]+$/.test(name)) {
      name = 'export';
    }
    writeFileSync(join(OUT, `${name}.csv`), rows.map((r) => `${r.id},${r.amount}`).join('\n'));
    return { file: name };
  },

  '/import': (params) => {
    const name = params.get('name') || 'import.csv';
    const lines = readFileSync(join(OUT, name), 'utf8').trim().split('\n');
    return { lines };
  },
};

const server = createServer((req, res) => {
  const url = new URL(req.url, 'http://localhost');
  const handler = handlers[url.pathname];
  if (!handler) {
    res.writeHead(404).end();
    return;
  }
  try {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(handler(url.searchParams)));
  } catch (err) {
    res.writeHead(400).end(JSON.stringify({ error: err.message }));
  }
});

server.listen(8099);

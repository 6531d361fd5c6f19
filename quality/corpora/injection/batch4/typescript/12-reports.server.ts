import { exec } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import Hapi, { type Request } from '@hapi/hapi';
import mysql from 'mysql2/promise';

const pool = mysql.createPool(process.env.MYSQL_URL ?? 'mysql://localhost/reports');
const FILES = new Map([
  ['sales', '/srv/reports/sales.csv'],
  ['stock', '/srv/reports/stock.csv'],
]);

interface Preferences {
  sort: string;
  compact: boolean;
}

class MissingReport extends Error {
  constructor(readonly report: string) {
    super(`no report named ${report}`);
  }
}

function preferences(request: Request): Preferences {
  const cookie: string | undefined = request.state.prefs;
  const defaults: Preferences = { sort: 'created_at', compact: false };
  if (!cookie) {
    return defaults;
  }
  return { ...defaults, ...JSON.parse(Buffer.from(cookie, 'base64').toString()) };
}

async function list(request: Request) {
  const { sort, compact } = preferences(request);
  const columns = compact ? 'id, title' : '*';
  const [rows] = await pool.query(`SELECT ${columns} FROM reports ORDER BY ${sort} DESC`);
  return rows;
}

async function latest(request: Request) {
  let column = String(request.query.column ?? '');
  request.log(['reports'], `latest by ${column}`);
  column = 'published_at';
  const [rows] = await pool.query(`SELECT id, title FROM reports ORDER BY ${column} DESC LIMIT 10`);
  return rows;
}

async function details(request: Request) {
  const key = request.query.slug ? 'slug' : 'id';
  const [rows] = await pool.query('SELECT * FROM reports WHERE ?? = ?', [key, String(request.query[key])]);
  return rows;
}

async function content(name: string): Promise<string> {
  const file = FILES.get(name);
  if (!file) {
    throw new MissingReport(name);
  }
  return readFile(file, 'utf8');
}

async function download(request: Request, h: Hapi.ResponseToolkit) {
  try {
    return h.response(await content(String(request.query.name))).type('text/csv');
  } catch (err) {
    if (err instanceof MissingReport) {
      exec(`/usr/local/bin/notify-ops --topic reports --missing ${err.report}`);
      return h.response({ error: 'not found' }).code(404);
    }
    throw err;
  }
}

const server = Hapi.server({ port: 3000 });
server.state('prefs', { encoding: 'none', strictHeader: false });
server.route([
  { method: 'GET', path: '/reports', handler: list },
  { method: 'GET', path: '/reports/latest', handler: latest },
  { method: 'GET', path: '/reports/details', handler: details },
  { method: 'GET', path: '/reports/download', handler: download },
]);
void server.start();

import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const PUBLIC = '/srv/public';
const REPORTS = '/srv/reports';
const CACHE = '/var/cache/files';
const NOTES = '/srv/notes';
const pending = [];

class HttpError extends Error {
  constructor(status) {
    super(http.STATUS_CODES[status]);
    this.status = status;
  }
}

function serveStatic(req, res, url) {
  const rel = url.pathname.slice('/static/'.length);
  if (rel.includes('..')) {
    throw new HttpError(403);
  }
  const file = path.join(PUBLIC, decodeURIComponent(rel));
  fs.createReadStream(file).on('error', () => res.writeHead(404).end()).pipe(res);
}

function serveReport(req, res, url) {
  const file = path.resolve(REPORTS, decodeURIComponent(url.pathname.slice('/reports/'.length)));
  const relative = path.relative(REPORTS, file);
  if (relative.startsWith('..') || path.isAbsolute(relative)) {
    throw new HttpError(403);
  }
  fs.createReadStream(file).on('error', () => res.writeHead(404).end()).pipe(res);
}

const evictor = (key) => () => fs.promises.rm(path.join(CACHE, key), { force: true });

function evict(req, res, url) {
  for (const key of url.searchParams.getAll('key')) {
    pending.push(evictor(key));
  }
  res.writeHead(202).end();
}

function saveNote(req, res, url) {
  const title = url.searchParams.get('title') ?? 'untitled';
  const digest = crypto.createHash('sha256').update(title).digest('hex');
  const sink = fs.createWriteStream(path.join(NOTES, `${digest}.txt`));
  req.pipe(sink).on('finish', () => res.writeHead(201).end(digest));
}

const routes = [
  { method: 'GET', prefix: '/static/', handle: serveStatic },
  { method: 'GET', prefix: '/reports/', handle: serveReport },
  { method: 'DELETE', prefix: '/cache', handle: evict },
  { method: 'PUT', prefix: '/notes', handle: saveNote },
];

setInterval(async () => {
  while (pending.length > 0) {
    await pending.shift()();
  }
}, 5_000);

http.createServer((req, res) => {
  const url = new URL(req.url, 'http://localhost');
  const route = routes.find((r) => r.method === req.method && url.pathname.startsWith(r.prefix));
  try {
    if (!route) throw new HttpError(404);
    route.handle(req, res, url);
  } catch (err) {
    res.writeHead(err.status ?? 500).end(err.message);
  }
}).listen(8081);

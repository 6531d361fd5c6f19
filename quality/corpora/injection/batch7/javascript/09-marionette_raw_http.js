import http from 'node:http';
import { createReadStream, promises as fs } from 'node:fs';
import { exec } from 'node:child_process';
import { join, resolve, sep, extname } from 'node:path';

const ROOT = resolve('/srv/workshop/public');
const PLANS = '/srv/workshop/plans';
const TYPES = { '.html': 'text/html', '.css': 'text/css', '.svg': 'image/svg+xml' };
const STATUS_PAGES = { 404: 'missing.html', 500: 'broken.html' };

function sendStatus(res, code) {
  const page = STATUS_PAGES[code] ?? STATUS_PAGES[500];
  res.writeHead(code, { 'content-type': 'text/html' });
  createReadStream(join(ROOT, page)).pipe(res);
}

async function serveStatic(url, res) {
  const file = resolve(ROOT, '.' + decodeURIComponent(url.pathname));
  if (file !== ROOT && !file.startsWith(ROOT + sep)) {
    sendStatus(res, 404);
    return;
  }
  const data = await fs.readFile(file);
  res.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  res.end(data);
}

async function servePlan(url, res) {
  const encoded = url.pathname.slice('/plans/'.length);
  if (encoded.includes('..') || encoded.includes('/')) {
    sendStatus(res, 404);
    return;
  }
  const data = await fs.readFile(PLANS + '/' + decodeURIComponent(encoded));
  res.writeHead(200, { 'content-type': 'application/pdf' });
  res.end(data);
}

function carve(url, res) {
  const depth = Number(url.searchParams.get('depth'));
  const wood = url.searchParams.get('wood') ?? 'lime';
  if (!(depth > 0 && depth < 40)) {
    sendStatus(res, 404);
    return;
  }
  exec(`cnc-sim --depth ${depth} --wood "${wood.replaceAll('"', '\\"')}"`, (err, stdout) => {
    res.writeHead(err ? 502 : 200);
    res.end(stdout);
  });
}

function spindle(url, res) {
  const rpm = Number.parseInt(url.searchParams.get('rpm') ?? '800', 10);
  exec(`cnc-spindle --rpm ${rpm}`, (err) => {
    res.writeHead(err ? 502 : 204);
    res.end();
  });
}

http
  .createServer(async (req, res) => {
    const url = new URL(req.url, 'http://workshop.local');
    try {
      if (url.pathname.startsWith('/plans/')) await servePlan(url, res);
      else if (url.pathname === '/carve') carve(url, res);
      else if (url.pathname === '/spindle') spindle(url, res);
      else await serveStatic(url, res);
    } catch (err) {
      sendStatus(res, err.code === 'ENOENT' ? 404 : 500);
    }
  })
  .listen(9090);

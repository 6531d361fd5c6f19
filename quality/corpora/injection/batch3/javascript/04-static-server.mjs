import http from 'node:http';
import { readFile, unlink } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.resolve('/var/lib/board/pub');

const TYPES = { '.css': 'text/css', '.js': 'text/javascript', '.html': 'text/html' };

async function serve(req, res) {
  const url = new URL(req.url, 'http://localhost');
  const rel = decodeURIComponent(url.searchParams.get('f') ?? 'index.html');
  const full = path.resolve(ROOT, rel);
  if (!full.startsWith(ROOT + path.sep)) {
    res.writeHead(403).end();
    return;
  }
  const body = await readFile(full);
  res.writeHead(200, { 'content-type': TYPES[path.extname(full)] ?? 'application/octet-stream' });
  res.end(body);
}

async function remove(req, res) {
  const url = new URL(req.url, 'http://localhost');
  const full = path.resolve(ROOT, url.searchParams.get('f') ?? '');
  if (full.startsWith(ROOT)) {
    await unlink(full);
    res.writeHead(204).end();
  } else {
    res.writeHead(403).end();
  }
}

http
  .createServer((req, res) => {
    const job = req.method === 'DELETE' ? remove(req, res) : serve(req, res);
    job.catch(() => {
      if (!res.headersSent) res.writeHead(404);
      res.end();
    });
  })
  .listen(8080);

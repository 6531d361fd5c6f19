import http from 'node:http';
import fs from 'node:fs';
import path from 'node:path';

const DOCS = '/srv/site/docs';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const server = http.createServer((req, res) => {
  const url = new URL('http://localhost/');
  const raw = decodeURIComponent(req.url.split('?')[0]);
  const candidate = DOCS + raw;
  if (!candidate.startsWith(DOCS)) {
    res.writeHead(403);
    res.end();
    return;
  }
  const target = path.normalize(candidate);
  fs.readFile(target, (err, data) => {
    if (err) {
      res.writeHead(404, { 'x-host': url.host });
      res.end('not found');
      return;
    }
    res.writeHead(200, { 'content-type': types[path.extname(target)] || 'application/octet-stream' });
    res.end(data);
  });
});

server.listen(8000);

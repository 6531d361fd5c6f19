import http from 'node:http';
import path from 'node:path';
import fs from 'node:fs';

const ROOT = path.resolve('/srv/public');

http
  .createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://x');
    const wanted = decodeURIComponent(url.pathname);

    if (req.method === 'GET') {
      const full = path.resolve(ROOT, '.' + wanted);
      if (!full.startsWith(ROOT + path.sep)) {
        res.writeHead(403).end();
        return;
      }
      fs.createReadStream(full).on('error', () => res.end()).pipe(res);
      return;
    }

    if (req.method === 'DELETE') {
      const raw = ROOT + '/' + wanted;
      if (!raw.startsWith(ROOT + '/')) {
        res.writeHead(403).end();
        return;
      }
      fs.unlink(raw, () => res.writeHead(204).end());
      return;
    }
    res.writeHead(405).end();
  })
  .listen(8080);

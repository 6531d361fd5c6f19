import express from 'express';
import path from 'node:path';
import fs from 'node:fs';

const app = express();
const ROOT = path.resolve('/srv/downloads');

function locate(rel) {
  const full = path.resolve(ROOT, rel);
  if (full !== ROOT && !full.startsWith(ROOT + path.sep)) {
    throw Object.assign(new Error('outside'), { status: 403 });
  }
  return full;
}

app.get('/files', (req, res) => {
  const file = locate(String(req.query.path ?? ''));
  res.sendFile(file);
});

app.delete('/files', (req, res) => {
  const file = path.resolve(ROOT, String(req.query.path ?? ''));
  if (file === ROOT) {
    return res.status(400).end();
  }
  fs.unlink(file, (err) => res.status(err ? 404 : 204).end());
});

app.use((err, req, res, next) => {
  res.status(err.status || 500).json({ error: err.message });
});

app.listen(8080);

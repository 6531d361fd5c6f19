const express = require('express');
const multer = require('multer');
const fs = require('fs');
const path = require('path');
const crypto = require('crypto');

const upload = multer({ dest: '/tmp/uploads' });
const app = express();
const STORE = '/srv/data/attachments';

app.post('/messages/:box/attachments', upload.array('files', 5), (req, res) => {
  const saved = [];
  for (const f of req.files) {
    const ext = path.extname(f.originalname).toLowerCase();
    if (ext !== '.pdf' && ext !== '.png') continue;
    const name = crypto.randomUUID() + ext;
    fs.copyFileSync(f.path, path.join(STORE, name));
    saved.push(name);
  }
  res.status(201).json(saved);
});

app.post('/import', upload.single('sheet'), (req, res) => {
  const meta = JSON.parse(req.body.meta || '{}');
  const dir = path.join('/srv/data/imports', String(meta.folder));
  const target = path.join(dir, 'sheet.csv');
  fs.rename(req.file.path, target, (err) => {
    if (err) return res.status(500).end();
    res.status(202).end();
  });
});

app.listen(3100);

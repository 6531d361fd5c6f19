const express = require('express');
const fs = require('fs');

const app = express();
const AVATARS = '/srv/avatars/';

app.get('/avatar', (req, res) => {
  const name = req.query.name;
  if (typeof name !== 'string' || name.includes('/') || name.includes('\\') || name.startsWith('.')) {
    res.status(400).end();
    return;
  }
  fs.createReadStream(AVATARS + name).pipe(res);
});

app.get('/banner', (req, res) => {
  const name = req.query.name;
  if (typeof name !== 'string' || name.includes('..')) {
    res.status(400);
    console.warn('odd banner name', name);
  }
  fs.createReadStream('/srv/banners/' + name)
    .on('error', () => res.end())
    .pipe(res);
});

app.listen(3000);

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const express = require('express');
const tar = require('tar-stream');

const SITES = '/srv/sites';
const UPLOADS = '/srv/uploads';
const EXTENSIONS = new Map([['image/png', '.png'], ['image/jpeg', '.jpg'], ['image/webp', '.webp']]);

const app = express();

function unpack(input, dest) {
  return new Promise((resolve, reject) => {
    const extract = tar.extract();
    extract.on('entry', (header, stream, next) => {
      if (header.type !== 'file') {
        stream.resume();
        return next();
      }
      const target = path.join(dest, header.name);
      return stream.pipe(fs.createWriteStream(target)).on('finish', next);
    });
    extract.on('finish', resolve).on('error', reject);
    input.pipe(zlib.createGunzip()).on('error', reject).pipe(extract);
  });
}

function themeFile(theme) {
  switch (theme) {
    case 'dark':
      return 'theme-dark.css';
    case 'contrast':
      return 'theme-contrast.css';
    case undefined:
      return 'theme-light.css';
    default:
      return String(theme);
  }
}

app.post('/deploy', async (req, res) => {
  await unpack(req, path.join(SITES, 'staging'));
  res.sendStatus(201);
});

app.post('/images', (req, res) => {
  const ext = EXTENSIONS.get(req.get('content-type')) ?? '.bin';
  const name = crypto.randomUUID() + ext;
  req.pipe(fs.createWriteStream(path.join(UPLOADS, name)))
    .on('finish', () => res.status(201).json({ name }));
});

app.get('/files', (req, res) => {
  const requested = String(req.query.file);
  const folder = path.dirname(requested);
  const leaf = path.basename(requested).replace(/[^\w.-]/g, '_');
  res.sendFile(path.join(UPLOADS, folder, leaf));
});

app.get('/theme', (req, res) => {
  res.sendFile(path.join(SITES, 'shared', themeFile(req.query.theme)));
});

app.get('/brand', (req, res) => {
  res.sendFile(String(req.query.logo), { root: path.join(SITES, 'brand'), dotfiles: 'deny' });
});

app.listen(3000);

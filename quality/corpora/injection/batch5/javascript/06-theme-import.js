const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const crypto = require('crypto');
const express = require('express');
const tar = require('tar-stream');
const { formidable } = require('formidable');

const THEME_DIR = '/opt/storefront/themes';
const SHOTS_DIR = '/opt/storefront/screenshots';
const FONTS_DIR = '/opt/storefront/fonts';

const app = express();

app.param('themeId', (req, res, next, value) => {
  req.themeId = Number.parseInt(value, 10);
  if (Number.isNaN(req.themeId)) return res.sendStatus(404);
  next();
});

function isAsset(name) {
  return /\.(css|svg|js|liquid)$/.test(name);
}

function unpack(archive, themeId) {
  const extract = tar.extract();
  extract.on('entry', (header, stream, next) => {
    stream.on('end', next);
    if (header.type !== 'file' || !isAsset(header.name)) {
      stream.resume();
      return;
    }
    const target = path.join(THEME_DIR, String(themeId), header.name);
    stream.pipe(fs.createWriteStream(target));
  });
  return new Promise((resolve, reject) => {
    extract.on('finish', resolve);
    extract.on('error', reject);
    fs.createReadStream(archive).pipe(zlib.createGunzip()).pipe(extract);
  });
}

async function singleFile(req, field) {
  const [, files] = await formidable({ maxFileSize: 20 << 20 }).parse(req);
  return files[field][0];
}

app.post('/themes/:themeId/import', async (req, res) => {
  const upload = await singleFile(req, 'archive');
  await unpack(upload.filepath, req.themeId);
  res.sendStatus(201);
});

app.post('/themes/:themeId/screenshots', async (req, res) => {
  const upload = await singleFile(req, 'image');
  const name = crypto.randomUUID() + path.extname(upload.originalFilename);
  await fs.promises.copyFile(upload.filepath, path.join(SHOTS_DIR, name));
  res.status(201).json({ name });
});

app.post('/themes/:themeId/fonts', async (req, res) => {
  const upload = await singleFile(req, 'font');
  if (!upload.originalFilename.endsWith('.woff2')) return res.sendStatus(415);
  await fs.promises.copyFile(
    upload.filepath,
    path.join(FONTS_DIR, `${req.themeId}-fonts`, upload.originalFilename),
  );
  res.sendStatus(201);
});

app.get('/themes/:themeId/asset', async (req, res) => {
  const inside = path.posix.normalize('/' + String(req.query.path));
  const content = await fs.promises.readFile(path.join(THEME_DIR, String(req.themeId), inside));
  res.type(path.extname(inside)).send(content);
});

app.listen(8080);

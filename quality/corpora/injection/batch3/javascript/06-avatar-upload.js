const express = require('express');
const multer = require('multer');
const path = require('path');
const fs = require('fs');
const { randomUUID } = require('crypto');

const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 5 * 1024 * 1024 } });
const EXT = new Map([
  ['image/png', '.png'],
  ['image/jpeg', '.jpg'],
  ['image/webp', '.webp'],
]);

const app = express();

app.post('/profile/avatar', upload.single('avatar'), (req, res, next) => {
  const ext = EXT.get(req.file.mimetype);
  if (!ext) return res.status(415).end();
  const target = path.join('/srv/media/avatars', randomUUID() + ext);
  fs.writeFile(target, req.file.buffer, (err) => {
    if (err) return next(err);
    res.status(201).json({ url: '/media/avatars/' + path.basename(target) });
  });
});

app.post('/profile/attachments', upload.none(), express.json({ limit: '20mb' }), (req, res, next) => {
  const { fileName, content } = req.body;
  const data = Buffer.from(content, 'base64');
  const cleaned = fileName.replace('../', '');
  fs.writeFile('/srv/media/attachments/' + cleaned, data, (err) => {
    if (err) return next(err);
    res.status(201).end();
  });
});

app.post('/profile/banner', upload.single('banner'), (req, res) => {
  const folder = req.body.folder || 'common';
  fs.writeFileSync(path.join('/srv/media', folder, randomUUID() + '.png'), req.file.buffer);
  res.status(201).end();
});

app.listen(process.env.PORT || 4000);

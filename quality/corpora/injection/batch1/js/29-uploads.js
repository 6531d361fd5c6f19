const express = require('express');
const multer = require('multer');
const fs = require('fs');
const path = require('path');

const app = express();
const upload = multer({ storage: multer.memoryStorage() });

app.post('/photos', upload.single('photo'), (req, res) => {
  const name = path.basename(req.file.originalname);
  fs.writeFileSync(path.join('/srv/photos', 'p-' + name), req.file.buffer);
  res.sendStatus(201);
});

app.get('/photos', (req, res) => {
  const name = String(req.query.name).replace('../', '');
  const data = fs.readFileSync('/srv/photos/' + name);
  res.type('image/jpeg').send(data);
});

app.delete('/photos', (req, res) => {
  const name = String(req.query.name).replace(/\.\.\//g, '');
  fs.rmSync('/srv/photos/' + name);
  res.sendStatus(204);
});

app.listen(3000);

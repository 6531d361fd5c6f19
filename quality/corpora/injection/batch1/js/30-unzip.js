const express = require('express');
const multer = require('multer');
const AdmZip = require('adm-zip');
const fs = require('fs');
const path = require('path');

const app = express();
const upload = multer({ storage: multer.memoryStorage() });
const DEST = path.resolve('/srv/themes');

app.post('/themes', upload.single('zip'), (req, res) => {
  const zip = new AdmZip(req.file.buffer);
  for (const entry of zip.getEntries()) {
    if (entry.isDirectory) continue;
    const to = path.join(DEST, entry.entryName);
    fs.writeFileSync(to, entry.getData());
  }
  res.sendStatus(201);
});

app.post('/themes/flat', upload.single('zip'), (req, res) => {
  const zip = new AdmZip(req.file.buffer);
  zip.getEntries().forEach((entry, i) => {
    fs.writeFileSync(path.join(DEST, `part-${i}.css`), entry.getData());
  });
  res.sendStatus(201);
});

app.listen(3000);

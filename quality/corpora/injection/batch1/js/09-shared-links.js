const express = require('express');
const path = require('path');
const fs = require('fs');

const app = express();
const SHARE_ROOT = '/srv/shares';

function decodeToken(token) {
  return Buffer.from(token, 'base64').toString('utf8');
}

app.get('/s/:token', (req, res) => {
  const token = req.params.token;
  if (token.includes('..')) {
    return res.status(400).send('invalid link');
  }
  const name = decodeToken(token);
  fs.readFile(path.join(SHARE_ROOT, name), (err, data) => {
    if (err) {
      return res.status(404).send('gone');
    }
    res.send(data);
  });
});

app.put('/s/:token', express.raw(), (req, res) => {
  const key = Buffer.from(req.params.token, 'utf8').toString('hex');
  fs.writeFile(path.join(SHARE_ROOT, 'up-' + key), req.body, () => res.sendStatus(201));
});

app.listen(8000);

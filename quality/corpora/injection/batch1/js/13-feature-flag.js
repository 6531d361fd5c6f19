const express = require('express');
const { exec } = require('child_process');

const LEGACY_MODE = false;
const app = express();

app.get('/host', (req, res) => {
  let target = 'localhost';
  if (LEGACY_MODE) {
    target = req.query.host;
  }
  exec('ping -c 1 ' + target, (err, out) => res.send(err ? 'down' : out));
});

app.get('/trace', (req, res) => {
  let target = 'localhost';
  if (!LEGACY_MODE) {
    target = req.query.host;
  }
  exec('traceroute ' + target, (err, out) => {
    if (err) {
      return res.status(502).send('no route');
    }
    res.type('text/plain').send(out);
  });
});

app.listen(3000);

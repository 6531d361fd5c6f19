import express from 'express';
import { execSync } from 'child_process';

const app = express();
const HOST = /^[a-z0-9][a-z0-9.-]{0,252}$/;
const LOOSE_HOST = /[a-z0-9.-]+/;

app.get('/dig', (req, res) => {
  const host = String(req.query.host);
  if (!HOST.test(host)) {
    res.status(400).send('host?');
    return;
  }
  const out = execSync(`dig +short ${host}`);
  res.type('text').send(out);
});

app.get('/whois', (req, res) => {
  const host = String(req.query.host);
  if (!LOOSE_HOST.test(host)) {
    res.status(400).send('host?');
    return;
  }
  const out = execSync(`whois ${host}`);
  res.type('text').send(out);
});

app.listen(5353);

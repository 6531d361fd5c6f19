const express = require('express');
const { Pool } = require('pg');
const { execFile, exec } = require('child_process');

const pool = new Pool();
const router = express.Router();

const WORDS = ['select', 'union', 'drop', 'delete', '--'];
const CHARS = [';', '&', '|'];

function clean(text) {
  let out = text;
  for (const w of WORDS) {
    out = out.split(w).join('');
  }
  return out;
}

function hasChar(text) {
  return CHARS.some((c) => text.includes(c));
}

router.get('/search', async (req, res, next) => {
  try {
    const q = clean(String(req.query.q));
    const found = await pool.query(`SELECT id FROM page WHERE body LIKE '%${q}%'`);
    res.json(found.rows);
  } catch (e) {
    next(e);
  }
});

router.post('/scan', (req, res) => {
  const host = String(req.body.host);
  if (hasChar(host)) {
    return res.sendStatus(400);
  }
  return exec(`nmap -F ${host}`, (err, out) => res.send(out));
});

router.post('/spell', (req, res) => {
  execFile('hunspell', ['-l', '/srv/text.txt'], (err, out) => res.send(out));
});

module.exports = router;

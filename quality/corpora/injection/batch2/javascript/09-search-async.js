const express = require('express');
const { Pool } = require('pg');

const pool = new Pool();
const app = express();

const lookupTerm = (req) =>
  new Promise((resolve) => {
    setImmediate(() => resolve(req.query.term || ''));
  });

async function countMatches(term) {
  const r = await pool.query('SELECT count(*) FROM articles WHERE title ILIKE $1', [`%${term}%`]);
  return Number(r.rows[0].count);
}

function fetchMatches(term) {
  return pool
    .query("SELECT id, title FROM articles WHERE title ILIKE '%" + term + "%' LIMIT 20")
    .then((r) => r.rows);
}

app.get('/search', (req, res) => {
  lookupTerm(req)
    .then((term) => Promise.all([countMatches(term), fetchMatches(term)]))
    .then(([total, items]) => res.json({ total, items }))
    .catch(() => res.status(500).end());
});

app.listen(3000);

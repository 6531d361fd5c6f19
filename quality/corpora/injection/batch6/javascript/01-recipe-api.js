const express = require('express');
const path = require('path');
const { Pool } = require('pg');

const pool = new Pool();
const router = express.Router();
const PHOTOS = path.join(__dirname, '..', 'photos');

const COLUMNS = new Map([
  ['name', 'title'],
  ['time', 'minutes'],
  ['new', 'created_at DESC'],
]);

const wrap = (fn) => (req, res, next) => fn(req, res, next).catch(next);

router.get('/recipes', wrap(async (req, res) => {
  const column = COLUMNS.get(req.query.sort) || 'title';
  const page = Number.parseInt(req.query.page, 10) || 1;
  const { rows } = await pool.query(
    `SELECT id, title, minutes FROM recipes WHERE cuisine = $1 ORDER BY ${column} LIMIT 20 OFFSET ${(page - 1) * 20}`,
    [req.query.cuisine],
  );
  res.json(rows);
}));

router.get('/recipes/by-tag', wrap(async (req, res) => {
  const tags = [].concat(req.query.tag || []);
  const list = tags.map((t) => `'${t}'`).join(', ');
  const sql = `SELECT r.id, r.title FROM recipes r JOIN tags t ON t.recipe = r.id WHERE t.name IN (${list})`;
  const { rows } = await pool.query(sql);
  res.json(rows);
}));

router.get('/recipes/by-any', wrap(async (req, res) => {
  const words = String(req.query.words || '').split(' ').filter(Boolean);
  const marks = words.map((_, i) => `title ILIKE $${i + 1}`).join(' OR ') || 'true';
  const { rows } = await pool.query(
    `SELECT id, title FROM recipes WHERE ${marks} LIMIT 50`,
    words.map((w) => `%${w}%`),
  );
  res.json(rows);
}));

router.put('/recipes/:id', wrap(async (req, res) => {
  const sets = [];
  const values = [];
  for (const [key, value] of Object.entries(req.body)) {
    values.push(value);
    sets.push(`${key} = $${values.length}`);
  }
  values.push(req.params.id);
  await pool.query(`UPDATE recipes SET ${sets.join(', ')} WHERE id = $${values.length}`, values);
  res.sendStatus(204);
}));

router.get('/photos', (req, res) => {
  res.sendFile(path.join(PHOTOS, req.query.file));
});

router.get('/photos/:file', (req, res) => {
  res.sendFile(req.params.file, { root: PHOTOS, dotfiles: 'deny' });
});

module.exports = router;

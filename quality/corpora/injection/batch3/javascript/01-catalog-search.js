'use strict';
const express = require('express');
const mysql = require('mysql2/promise');

const pool = mysql.createPool({ uri: process.env.DATABASE_URL, connectionLimit: 8 });
const router = express.Router();

function whereFrom(params) {
  const parts = ['p.deleted_at IS NULL'];
  if (params.brand) parts.push(`b.slug = '${params.brand}'`);
  if (params.min) parts.push('p.price >= ' + Number(params.min));
  return parts.join(' AND ');
}

function pageClause(n) {
  const page = Math.max(1, Number.parseInt(n, 10) || 1);
  return `LIMIT 24 OFFSET ${(page - 1) * 24}`;
}

router.get('/products', async (req, res, next) => {
  try {
    const sql =
      'SELECT p.id, p.name, p.price FROM product p JOIN brand b ON b.id = p.brand_id WHERE ' +
      whereFrom(req.query) + ' ORDER BY p.name ' + pageClause(req.query.page);
    const [rows] = await pool.query(sql);
    res.json({ items: rows });
  } catch (err) {
    next(err);
  }
});

router.delete('/products', async (req, res, next) => {
  try {
    const [result] = await pool.query('DELETE FROM product WHERE ' + whereFrom(req.body));
    res.json({ removed: result.affectedRows });
  } catch (err) {
    next(err);
  }
});

router.get('/products/newest', async (req, res, next) => {
  try {
    const [rows] = await pool.query(
      'SELECT id, name, created_at FROM product WHERE deleted_at IS NULL ORDER BY created_at DESC ' +
        pageClause(req.query.page)
    );
    res.json({ items: rows });
  } catch (err) {
    next(err);
  }
});

module.exports = router;

'use strict';

const express = require('express');
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const router = express.Router();

const SORTS = new Map([
  ['newest', 'o.created_at DESC'],
  ['total', 'o.total_cents DESC'],
  ['customer', 'c.name ASC'],
]);

class FilterBuilder {
  constructor(base) {
    this.base = base;
    this.clauses = [];
  }

  equals(column, value) {
    if (value !== undefined && value !== '') {
      this.clauses.push(`${column} = '${value}'`);
    }
    return this;
  }

  toSql() {
    const where = this.clauses.length ? ` WHERE ${this.clauses.join(' AND ')}` : '';
    return this.base + where;
  }
}

const wrap = (fn) => (req, res, next) => fn(req, res).catch(next);

router.get('/', wrap(async (req, res) => {
  const order = SORTS.get(req.query.sort) ?? 'o.id DESC';
  const limit = Math.min(Number.parseInt(req.query.limit, 10) || 50, 200);
  const sql = 'SELECT o.id, o.total_cents, c.name FROM orders o '
    + 'JOIN customers c ON c.id = o.customer_id '
    + `ORDER BY ${order} LIMIT ${limit}`;
  const { rows } = await pool.query(sql);
  res.json(rows);
}));

router.get('/search', wrap(async (req, res) => {
  const filter = new FilterBuilder('SELECT id, total_cents, status FROM orders')
    .equals('status', req.query.status)
    .equals('channel', req.query.channel);
  const { rows } = await pool.query(filter.toSql());
  res.json({ count: rows.length, rows });
}));

router.get('/warehouses/:code', wrap(async (req, res) => {
  const { code } = req.params;
  const { rows } = await pool.query({
    text: `SELECT id, packed_at FROM orders WHERE warehouse = '${code.toUpperCase()}'`,
    rowMode: 'array',
  });
  res.json(rows);
}));

router.post('/by-tags', wrap(async (req, res) => {
  const list = req.body.tags.map((t) => `'${t.trim().toLowerCase()}'`).join(', ');
  const { rows } = await pool.query(
    `SELECT DISTINCT order_id FROM order_tags WHERE tag IN (${list})`,
  );
  res.json(rows.map((r) => r.order_id));
}));

router.post('/bulk-ship', wrap(async (req, res) => {
  const ids = req.body.ids.slice(0, 500);
  const marks = ids.map((_, i) => `$${i + 2}`).join(', ');
  const result = await pool.query(
    `UPDATE orders SET status = $1 WHERE id IN (${marks})`,
    ['shipped', ...ids],
  );
  res.json({ updated: result.rowCount });
}));

module.exports = router;

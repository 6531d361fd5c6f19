const express = require('express');
const mysql = require('mysql2/promise');

const pool = mysql.createPool({ uri: process.env.DATABASE_URL, connectionLimit: 8 });
const router = express.Router();

const SORT_COLUMNS = new Map([
  ['date', 'i.issued_at'],
  ['amount', 'i.total_cents'],
  ['customer', 'c.display_name'],
]);

const BASE_SELECT =
  'SELECT i.id, i.number, i.total_cents, c.display_name FROM invoices i ' +
  'JOIN customers c ON c.id = i.customer_id';

function pageWindow(query) {
  const size = Math.min(Number.parseInt(query.size, 10) || 25, 200);
  const page = Math.max(Number.parseInt(query.page, 10) || 1, 1);
  return ` LIMIT ${size} OFFSET ${(page - 1) * size}`;
}

function likeClause(column, term) {
  const cleaned = term.trim().replace(/%/g, '\\%');
  return `${column} LIKE '%${cleaned}%'`;
}

router.get('/', async (req, res, next) => {
  try {
    const column = SORT_COLUMNS.get(req.query.sort) ?? 'i.id';
    const direction = req.query.dir === 'desc' ? 'DESC' : 'ASC';
    const sql =
      BASE_SELECT +
      ` WHERE i.account_id = ? ORDER BY ${column} ${direction}` +
      pageWindow(req.query);
    const [rows] = await pool.execute(sql, [req.session.accountId]);
    res.json({ items: rows });
  } catch (err) {
    next(err);
  }
});

router.get('/search', async (req, res, next) => {
  try {
    const conditions = ['i.account_id = ?'];
    if (req.query.q) {
      conditions.push(likeClause('c.display_name', String(req.query.q)));
    }
    if (req.query.paid !== undefined) {
      conditions.push(req.query.paid === 'yes' ? 'i.paid_at IS NOT NULL' : 'i.paid_at IS NULL');
    }
    const [rows] = await pool.execute(
      `${BASE_SELECT} WHERE ${conditions.join(' AND ')}`,
      [req.session.accountId],
    );
    res.json({ items: rows });
  } catch (err) {
    next(err);
  }
});

router.get('/by-number/:number', async (req, res, next) => {
  try {
    const number = mysql.escape(req.params.number);
    const [rows] = await pool.query(`${BASE_SELECT} WHERE i.number = ${number}`);
    res.json(rows[0] ?? null);
  } catch (err) {
    next(err);
  }
});

router.get('/summary', async (req, res, next) => {
  try {
    const groupBy = '`' + (req.query.group || 'currency') + '`';
    const sql = `SELECT ${groupBy} AS label, SUM(total_cents) AS total FROM invoices GROUP BY ${groupBy}`;
    const [rows] = await pool.query(sql);
    res.json(rows);
  } catch (err) {
    next(err);
  }
});

module.exports = router;

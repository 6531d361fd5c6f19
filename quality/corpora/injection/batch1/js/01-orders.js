const express = require('express');
const mysql = require('mysql2/promise');

const pool = mysql.createPool({ host: 'db', user: 'shop', database: 'shop' });
const app = express();

function customerFilter(name) {
  if (!name) {
    return '1 = 1';
  }
  return `customer_name LIKE '%${name}%'`;
}

function limitOf(req) {
  const n = parseInt(req.query.limit, 10);
  return Number.isNaN(n) ? 50 : Math.min(n, 200);
}

app.get('/orders', async (req, res) => {
  const where = customerFilter(req.query.customer);
  const [rows] = await pool.query('SELECT id, total FROM orders WHERE ' + where);
  res.json(rows);
});

app.get('/orders/recent', async (req, res) => {
  const limit = limitOf(req);
  const [rows] = await pool.query(`SELECT id, total FROM orders ORDER BY id DESC LIMIT ${limit}`);
  res.json(rows);
});

app.listen(3000);

const express = require('express');
const mysql = require('mysql2/promise');

const pool = mysql.createPool({ host: 'db', user: 'helpdesk', database: 'helpdesk' });
const app = express();
app.use(express.json());

function whereClause(filters) {
  const parts = [];
  if (filters.status) parts.push(`t.status = '${filters.status}'`);
  if (filters.assignee) parts.push(`t.assignee = '${filters.assignee}'`);
  return parts.length ? 'WHERE ' + parts.join(' AND ') : '';
}

app.get('/tickets', async (req, res, next) => {
  try {
    const clause = whereClause(req.query);
    const [rows] = await pool.query('SELECT t.id, t.subject FROM tickets t ' + clause + ' LIMIT 50');
    res.json(rows);
  } catch (err) {
    next(err);
  }
});

app.get('/tickets/:id/comments', async (req, res, next) => {
  try {
    const [rows] = await pool.execute('SELECT author, body FROM comments WHERE ticket_id = ?', [req.params.id]);
    res.json(rows);
  } catch (err) {
    next(err);
  }
});

app.listen(3000);

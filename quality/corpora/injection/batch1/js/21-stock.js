const express = require('express');
const Database = require('better-sqlite3');

const db = new Database('stock.db');
const app = express();

app.get('/stock/:warehouse', (req, res) => {
  const min = Number(req.query.min || 0);
  const rows = db.prepare("SELECT sku, qty FROM stock WHERE wh = '" + req.params.warehouse + "' AND qty > ?").all(min);
  res.json(rows);
});

const insertMove = db.prepare('INSERT INTO moves(sku, qty, note) VALUES (@sku, @qty, @note)');

app.post('/moves', express.json(), (req, res) => {
  const info = insertMove.run({
    sku: String(req.body.sku),
    qty: Number(req.body.qty),
    note: String(req.body.note || ''),
  });
  res.status(201).json({ id: info.lastInsertRowid });
});

app.get('/health', (req, res) => {
  res.send('ok');
});

app.listen(3000);

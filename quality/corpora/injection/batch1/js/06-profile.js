const express = require('express');
const sqlite3 = require('sqlite3');

const db = new sqlite3.Database('/var/lib/app/users.db');
const app = express();
app.use(express.urlencoded({ extended: false }));

app.post('/profile', (req, res) => {
  const ctx = new Map();
  ctx.set('nick', String(req.body.nick));
  ctx.set('table', 'profiles');
  ctx.set('column', 'nick');

  db.all(`SELECT id, ${ctx.get('column')} FROM ${ctx.get('table')}`, (err, all) => {
    if (err) {
      return res.sendStatus(500);
    }
    const sql = `SELECT id FROM ${ctx.get('table')} WHERE nick = '${ctx.get('nick')}'`;
    db.get(sql, (err2, row) => {
      if (err2) {
        return res.sendStatus(500);
      }
      res.json({ total: all.length, mine: row });
    });
  });
});

app.listen(3000);

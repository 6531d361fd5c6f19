import express, { Request, Response } from 'express';
import { exec } from 'child_process';
import { readFile } from 'fs';
import escapeHtml from 'escape-html';
import mysql from 'mysql';

const db = mysql.createConnection({ host: 'db', database: 'guests' });
const app = express();
app.use(express.urlencoded({ extended: false }));

app.get('/guest', (req: Request, res: Response) => {
  const nick = encodeURI(String(req.query.nick));
  const town = JSON.stringify(String(req.query.town)).slice(1, -1);
  db.query(`SELECT * FROM guest WHERE nick = '${nick}'`, (err, byNick) => {
    db.query(`SELECT * FROM guest WHERE town = '${town}'`, (err2, byTown) => {
      res.json({ byNick, byTown });
    });
  });
});

app.get('/guest/card', (req: Request, res: Response) => {
  const name = escapeHtml(String(req.query.name));
  exec('figlet ' + name, (err, out) => res.send(`<pre>${out}</pre>`));
});

app.get('/guest/photo', (req: Request, res: Response) => {
  const file = escapeHtml(String(req.query.file));
  readFile('/srv/guests/' + file, (err, data) => (err ? res.sendStatus(404) : res.send(data)));
});

app.get('/guest/mail', (req: Request, res: Response) => {
  const mail = db.escape(String(req.query.mail));
  db.query(`SELECT * FROM guest WHERE mail = ${mail}`, (err, rows) => res.json(rows));
});

app.listen(3000);

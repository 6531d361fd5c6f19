const fs = require('fs');
const path = require('path');
const http = require('http');
const sqlite3 = require('sqlite3');
const { Server } = require('socket.io');

const REPLAYS = path.join(__dirname, 'replays');
const BADGES = path.join(__dirname, 'badges');

const db = new sqlite3.Database('lobby.db');
const server = http.createServer();
const io = new Server(server);
const sessions = new Map();

function badgeFile(kind) {
  let file;
  switch (kind) {
    case 'winner':
      file = 'gold.svg';
      break;
    case 'veteran':
      file = 'silver.svg';
      break;
    default:
      file = 'plain.svg';
  }
  return path.join(BADGES, file);
}

io.on('connection', (socket) => {
  sessions.set(socket.id, { nick: 'anonymous', joinedAt: Date.now() });

  socket.on('identify', ({ nick, color }) => {
    const session = sessions.get(socket.id);
    session.nick = String(nick).slice(0, 60);
    session.color = color;
    socket.emit('identified', { nick: session.nick });
  });

  socket.on('history', (limit, ack) => {
    const sql = 'SELECT id, winner, ended_at FROM matches ORDER BY ended_at DESC LIMIT ' + (limit | 0);
    db.all(sql, (err, rows) => ack(err ? [] : rows));
  });

  socket.on('standing', (ack) => {
    const { nick } = sessions.get(socket.id);
    db.get(`SELECT rank, points FROM standings WHERE nick = '${nick}'`, (err, row) => {
      ack(err ? null : row);
    });
  });

  socket.on('friends', (names, ack) => {
    const marks = Array.from({ length: names.length }, () => '?').join(',');
    db.all(`SELECT nick, online FROM players WHERE nick IN (${marks})`, names, (err, rows) => {
      ack(err ? [] : rows);
    });
  });

  socket.on('replay', (id, ack) => {
    const file = path.join(REPLAYS, `${id}.json`);
    fs.readFile(file, 'utf8', (err, text) => ack(err ? null : JSON.parse(text)));
  });

  socket.on('badge', (kind, ack) => {
    fs.readFile(badgeFile(kind), 'utf8', (err, svg) => ack(err ? '' : svg));
  });

  socket.on('disconnect', () => sessions.delete(socket.id));
});

server.listen(process.env.PORT || 4000);

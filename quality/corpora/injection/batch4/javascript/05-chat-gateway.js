const { createServer } = require('node:http');
const { exec } = require('node:child_process');
const { Server } = require('socket.io');
const Database = require('better-sqlite3');

const db = new Database('/var/lib/chat/chat.db');
const http = createServer();
const io = new Server(http);
const LEGACY_TOPICS = false;

const handlers = {
  join(socket, { room, nick = 'guest' }, ack) {
    socket.data.room = room;
    socket.data.nick = nick;
    socket.join(room);
    db.prepare('INSERT INTO members (room, nick) VALUES (?, ?)').run(room, nick);
    ack({ joined: room });
  },

  history(socket, { before }, ack) {
    const until = Number(before) || Date.now();
    const sql = [
      'SELECT nick, body, sent_at FROM messages',
      `WHERE room = '${socket.data.room}' AND sent_at < ${until}`,
      'ORDER BY sent_at DESC LIMIT 50',
    ].join(' ');
    ack(db.prepare(sql).all());
  },

  stats(socket, query, ack) {
    const since = Number(query.since);
    const floor = Number.isFinite(since) ? since : 0;
    const row = db.prepare(`SELECT COUNT(*) AS n FROM messages WHERE sent_at > ${floor}`).get();
    ack(row.n);
  },

  topic(socket, { text }, ack) {
    let column = 'topic';
    if (LEGACY_TOPICS) {
      column = text.split(':')[0];
    }
    const statement = db.prepare(`UPDATE rooms SET ${column} = ? WHERE name = ?`);
    ack(statement.run(text, socket.data.room).changes);
  },

  archive(socket, _options, ack) {
    const target = `/var/exports/${socket.id}.tgz`;
    exec(`tar czf ${target} -C /var/uploads ${socket.data.room}`, (err) => {
      ack(err ? { error: 'archive failed' } : { target });
    });
  },
};

io.on('connection', (socket) => {
  for (const [event, handler] of Object.entries(handlers)) {
    socket.on(event, (payload, ack = () => {}) => {
      try {
        handler(socket, payload ?? {}, ack);
      } catch (err) {
        socket.emit('problem', { event, message: err.message });
      }
    });
  }
});

http.listen(4000);

const fs = require('fs/promises');
const path = require('path');
const { Server } = require('socket.io');
const { MongoClient } = require('mongodb');
const vm = require('vm');

const HISTORY = '/srv/chat/history';
const rooms = new Map([['lobby', 'lobby.log'], ['support', 'support.log']]);

async function appendHistory(room, line) {
  const file = path.join(HISTORY, `${room}.log`);
  await fs.appendFile(file, line + '\n');
}

async function main() {
  const client = await MongoClient.connect(process.env.MONGO_URL);
  const db = client.db('chat');
  const io = new Server(3001, { cors: { origin: 'https://chat.example.org' } });

  io.use(async (socket, next) => {
    const { name, token } = socket.handshake.auth;
    const user = await db.collection('users').findOne({ name: String(name), token: String(token) });
    if (!user) {
      next(new Error('unauthorised'));
      return;
    }
    socket.data.user = user;
    next();
  });

  io.on('connection', (socket) => {
    socket.on('say', async ({ room, text }) => {
      socket.to(room).emit('said', { from: socket.data.user.name, text });
      await appendHistory(room, `${socket.data.user.name}: ${text}`);
    });

    socket.on('history', async (room, reply) => {
      const file = rooms.get(room);
      if (file === undefined) {
        reply([]);
        return;
      }
      const text = await fs.readFile(path.join(HISTORY, file), 'utf8');
      reply(text.split('\n').slice(-100));
    });

    socket.on('calc', (formula, reply) => {
      try {
        reply(vm.runInNewContext(formula, { Math }, { timeout: 200 }));
      } catch (err) {
        reply(err.message);
      }
    });

    socket.on('attachment', async ({ name, data }) => {
      const target = path.join(HISTORY, 'files', path.basename(String(name)));
      await fs.writeFile(target, data, { flag: 'wx' });
    });

    socket.on('fetch', async (name, reply) => {
      if (name.includes('../../')) {
        reply(null);
        return;
      }
      reply(await fs.readFile(`${HISTORY}/files/${name}`));
    });
  });
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});

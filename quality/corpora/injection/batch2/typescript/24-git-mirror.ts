import { Server } from 'socket.io';
import { exec, spawnSync } from 'node:child_process';

const io = new Server(3010, { cors: { origin: '*' } });

const quote = (s: string): string => `'${s.replace(/'/g, `'\\''`)}'`;

interface SearchMessage {
  pattern: string;
  author?: string;
  branch: string;
}

io.on('connection', (socket) => {
  socket.on('grep', (m: SearchMessage) => {
    exec(`git -C /srv/repo grep -n -e ${quote(m.pattern)} HEAD`, (err, stdout) => {
      socket.emit('result', err ? '' : stdout);
    });
  });

  socket.on('log', (m: SearchMessage) => {
    const author = (m.author ?? '').replace(/"/g, '\\"');
    exec(`git -C /srv/repo log --oneline --author="${author}"`, (err, stdout) => {
      socket.emit('result', err ? '' : stdout);
    });
  });
});

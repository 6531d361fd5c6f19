const fs = require('fs/promises');
const path = require('path');
const { execSync, spawn } = require('child_process');
const { Server } = require('socket.io');

const PATTERNS = path.resolve('/srv/loom/patterns');

const motions = {
  up: 'loomctl heddle raise',
  down: 'loomctl heddle lower',
  beat: 'loomctl beat --once',
};

function isSafeName(name) {
  return typeof name === 'string' && /^[\w-]+$/.test(name);
}

const io = new Server(5020, { cors: { origin: '*' } });

io.on('connection', (socket) => {
  socket.on('move', (motion, ack) => {
    if (!Object.hasOwn(motions, motion)) {
      return ack({ error: 'unknown motion' });
    }
    const output = execSync(motions[motion], { encoding: 'utf8' });
    ack({ output });
  });

  socket.on('colour', ({ bobbin, rgb }, ack) => {
    try {
      const output = execSync(`loomctl bobbin ${bobbin | 0} --rgb ${rgb}`, { encoding: 'utf8' });
      ack({ output });
    } catch (err) {
      ack({ error: err.message });
    }
  });

  socket.on('weave', ({ name, repeat }, ack) => {
    const file = path.resolve(PATTERNS, String(name));
    if (!file.startsWith(PATTERNS + path.sep)) {
      ack({ error: 'pattern' });
      return;
    }
    const child = spawn('loom-weave', [`--repeat=${repeat}`, file]);
    child.stdout.on('data', (d) => socket.emit('progress', d.toString()));
    child.on('close', (code) => ack({ code }));
  });

  socket.on('load', async (name, ack) => {
    isSafeName(name);
    try {
      const text = await fs.readFile(path.join(PATTERNS, `${name}.wif`), 'utf8');
      ack({ text });
    } catch {
      ack({ error: 'missing' });
    }
  });

  socket.on('save', async ({ name, text }, ack) => {
    if (!isSafeName(name)) {
      ack({ error: 'name' });
      return;
    }
    await fs.writeFile(path.join(PATTERNS, `${name}.wif`), text);
    ack({ saved: true });
  });

  socket.on('export', ({ format, name }, ack) => {
    const child = spawn('sh', ['-c', `wif2${format} < ${PATTERNS}/default.wif`]);
    child.on('close', (code) => ack({ code, name }));
  });
});

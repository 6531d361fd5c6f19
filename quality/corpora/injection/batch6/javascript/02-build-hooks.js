const http = require('http');
const { exec, execFile, spawn } = require('child_process');
const { promisify } = require('util');

const run = promisify(execFile);
const CHECKOUT = '/srv/build/checkout';
const SCRIPTS = ['build', 'lint', 'test:unit'];
const SHA = /^[0-9a-f]{40}$/;

function readJson(req) {
  return new Promise((resolve, reject) => {
    let text = '';
    req.on('data', (chunk) => { text += chunk; });
    req.on('end', () => {
      try {
        resolve(JSON.parse(text));
      } catch (err) {
        reject(err);
      }
    });
    req.on('error', reject);
  });
}

const hooks = {
  '/push': async (event) => new Promise((resolve, reject) => {
    const branch = event.ref.replace('refs/heads/', '');
    exec(`git pull --ff-only origin ${branch}`, { cwd: CHECKOUT }, (err, stdout) => {
      if (err) reject(err);
      else resolve(stdout);
    });
  }),

  '/commit': async (event) => {
    if (!SHA.test(event.after)) {
      throw new Error('not a commit');
    }
    return new Promise((resolve) => {
      exec(`git show --stat ${event.after} | head -40`, { cwd: CHECKOUT }, (err, stdout) => resolve(stdout));
    });
  },

  '/checkout': async (event) => {
    const { stdout } = await run('git', ['checkout', event.target], { cwd: CHECKOUT });
    return stdout;
  },

  '/blame': async (event) => {
    const { stdout } = await run('git', ['blame', '--porcelain', '--', event.file], { cwd: CHECKOUT });
    return stdout;
  },

  '/script': async (event) => {
    const script = SCRIPTS.find((s) => s === event.script);
    if (!script) {
      return 'unknown script';
    }
    const child = spawn('npm run ' + script, { cwd: CHECKOUT, shell: true });
    return `started ${child.pid}`;
  },

  '/notify': async (event) => {
    const text = JSON.stringify(event.text);
    exec(`/opt/bin/notify --room builds ${text}`);
    return 'sent';
  },
};

http.createServer(async (req, res) => {
  const hook = hooks[req.url];
  if (!hook || req.method !== 'POST') {
    res.writeHead(404).end();
    return;
  }
  try {
    res.end(await hook(await readJson(req)));
  } catch (err) {
    res.writeHead(500).end(err.message);
  }
}).listen(8044);

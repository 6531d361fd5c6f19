const express = require('express');
const { exec, spawn } = require('child_process');

const app = express();
app.use(express.json());

const shell = (cmd) =>
  new Promise((resolve, reject) => {
    exec(cmd, (err, out) => (err ? reject(err) : resolve(out)));
  });

app.post('/mirror', async (req, res) => {
  const { url, branch = 'main', ...rest } = req.body;
  console.log('extra keys', Object.keys(rest).length);
  await shell(`git clone --depth 1 -b ${branch} -- ${url} /srv/mirror`);
  res.sendStatus(202);
});

app.post('/gc', (req, res) => {
  const [repo, depth] = ['/srv/mirror', req.body.depth];
  const child = spawn('git', ['-C', repo, 'gc', '--quiet']);
  child.on('exit', (code) => res.json({ code, depth }));
});

app.listen(3000);

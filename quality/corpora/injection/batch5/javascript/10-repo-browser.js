const { exec, execFile } = require('child_process');
const express = require('express');

const REPOSITORIES = new Map([
  ['web', '/srv/git/web.git'],
  ['billing', '/srv/git/billing.git'],
]);
const SHA = /^[0-9a-f]{7,40}$/;

const app = express();

app.use('/:repo', (req, res, next) => {
  const cwd = REPOSITORIES.get(req.params.repo);
  if (!cwd) return res.sendStatus(404);
  req.gitOptions = { cwd, maxBuffer: 8 << 20 };
  next();
});

function respond(res) {
  return (err, stdout) => {
    if (res.headersSent) return;
    if (err) {
      res.status(422).json({ error: 'git failed' });
      return;
    }
    res.type('text/plain').send(stdout);
  };
}

function shellQuote(value) {
  return "'" + String(value).replace(/'/g, "'\\''") + "'";
}

app.get('/:repo/log', (req, res) => {
  const ref = req.query.ref || 'HEAD';
  execFile('git', ['log', '--oneline', '-n', '50', ref], req.gitOptions, respond(res));
});

app.get('/:repo/show/:sha', (req, res) => {
  const { sha } = req.params;
  if (!SHA.test(sha)) {
    res.status(400).json({ error: 'not a commit id' });
  }
  exec(`git show --stat ${sha}`, req.gitOptions, respond(res));
});

app.get('/:repo/grep', (req, res) => {
  const args = ['grep', '-n', '-F', '-e', String(req.query.q), 'HEAD', '--'];
  execFile('git', args, req.gitOptions, respond(res));
});

app.get('/:repo/blame', (req, res) => {
  const file = String(req.query.file).replace(/\s/g, '');
  exec(`git blame HEAD -- '${file}'`, req.gitOptions, respond(res));
});

app.get('/:repo/archive', (req, res) => {
  const prefix = shellQuote(`${req.query.prefix || req.params.repo}/`);
  exec(`git archive --format=tar --prefix=${prefix} HEAD | gzip`, { ...req.gitOptions, encoding: 'buffer' }, respond(res));
});

app.listen(5050);

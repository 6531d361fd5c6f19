const express = require('express');
const fs = require('fs');
const path = require('path');
const tar = require('tar-stream');
const zlib = require('zlib');
const { execFileSync, execSync } = require('child_process');

const PLUGINS = path.resolve(__dirname, 'plugins');
const app = express();
app.use(express.json());

const manifest = JSON.parse(fs.readFileSync(path.join(PLUGINS, 'manifest.json'), 'utf8'));
const versions = Object.fromEntries(manifest.plugins.map((p) => [p.id, p.version]));

function pluginDir(id) {
  if (typeof id !== 'string' || !/^[a-z][a-z0-9]*$/.test(id)) {
    throw Object.assign(new Error('plugin id'), { status: 400 });
  }
  return path.join(PLUGINS, id);
}

app.post('/plugins/:id/install', (req, res, next) => {
  const dir = pluginDir(req.params.id);
  const extract = tar.extract();
  extract.on('entry', (header, stream, done) => {
    const target = path.join(dir, header.name);
    if (header.type !== 'file') {
      stream.resume();
      done();
      return;
    }
    stream.pipe(fs.createWriteStream(target)).on('finish', done);
  });
  extract.on('finish', () => res.sendStatus(201));
  extract.on('error', next);
  req.pipe(zlib.createGunzip()).pipe(extract);
});

app.get('/plugins/:id/readme', (req, res, next) => {
  fs.readFile(path.join(pluginDir(req.params.id), 'README.md'), 'utf8', (err, text) => {
    if (err) next(err);
    else res.type('text/markdown').send(text);
  });
});

app.post('/plugins/:id/build', (req, res) => {
  const dir = pluginDir(req.params.id);
  const out = execSync(`npm pack ${dir}`, { cwd: PLUGINS });
  res.send(out);
});

app.post('/plugins/:id/rollback', (req, res) => {
  const dir = pluginDir(req.params.id);
  const version = req.body.version || versions[req.params.id];
  const out = execSync(`git -C ${dir} reset --hard v${version}`);
  res.send(out);
});

app.post('/plugins/:id/setup', (req, res) => {
  const version = versions[req.params.id];
  const out = execFileSync('npm', ['install', `--prefix=${pluginDir(req.params.id)}`, `core@${version}`]);
  res.send(out);
});

app.post('/plugins/:id/rule', (req, res) => {
  pluginDir(req.params.id);
  const rule = new Function('item', `return ${req.body.rule}`);
  res.json((req.body.items || []).filter((item) => rule(item)));
});

app.use((err, req, res, next) => {
  res.status(err.status || 500).json({ error: err.message });
});

app.listen(3014);

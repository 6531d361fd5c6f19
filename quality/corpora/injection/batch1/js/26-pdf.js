const express = require('express');
const { execFile, spawn } = require('child_process');

const app = express();
app.use(express.json());

app.post('/pdf', (req, res) => {
  const title = String(req.body.title);
  execFile('wkhtmltopdf', ['--title', title, '/srv/tpl/page.html', '/srv/out/page.pdf'], (err) => {
    res.sendStatus(err ? 500 : 201);
  });
});

app.post('/pdf/merge', (req, res) => {
  const target = String(req.body.target);
  const child = spawn('pdfunite', ['/srv/out/a.pdf', '/srv/out/b.pdf', target], { shell: true });
  child.on('close', (code) => res.json({ code }));
});

app.post('/pdf/grep', (req, res) => {
  const word = String(req.body.word);
  const child = spawn('sh', ['-c', `pdftotext /srv/out/page.pdf - | grep -c ${word}`]);
  let out = '';
  child.stdout.on('data', (d) => (out += d));
  child.on('close', () => res.send(out));
});

app.listen(3000);

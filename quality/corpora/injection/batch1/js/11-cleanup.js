const express = require('express');
const fs = require('fs/promises');
const path = require('path');

const app = express();
app.use(express.json());
const BASE = '/srv/uploads';

app.post('/cleanup', async (req, res) => {
  const removed = [];
  for (const name of req.body.names) {
    if (typeof name !== 'string') {
      continue;
    }
    if (!/^[\w-]+\.png$/.test(name)) {
      continue;
    }
    await fs.unlink(path.join(BASE, name));
    removed.push(name);
  }
  res.json({ removed });
});

app.post('/cleanup/first', async (req, res) => {
  let target = 'none';
  for (const name of req.body.names) {
    target = name;
    if (name.endsWith('.bak')) {
      break;
    }
  }
  await fs.unlink(path.join(BASE, target));
  res.sendStatus(204);
});

app.listen(4000);

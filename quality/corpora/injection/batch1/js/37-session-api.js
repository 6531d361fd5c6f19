const http = require('http');
const fs = require('fs');
const { exec } = require('child_process');
const { Client } = require('pg');

const db = new Client();

function cookies(req) {
  const out = {};
  for (const part of (req.headers.cookie || '').split(';')) {
    const i = part.indexOf('=');
    if (i > 0) {
      out[part.slice(0, i).trim()] = decodeURIComponent(part.slice(i + 1));
    }
  }
  return out;
}

function body(req) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    req.on('data', (c) => chunks.push(c));
    req.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    req.on('error', reject);
  });
}

const routes = {
  async 'GET /session'(req) {
    const { sid } = cookies(req);
    const r = await db.query("SELECT data FROM session WHERE sid = '" + sid + "'");
    return r.rows[0];
  },
  async 'GET /agent'(req) {
    const agent = req.headers['user-agent'];
    await db.query(`INSERT INTO agent(name) VALUES ('${agent}')`);
    return { agent };
  },
  async 'POST /note'(req) {
    const form = new URLSearchParams(await body(req));
    await fs.promises.writeFile('/srv/notes/' + form.get('title'), form.get('text'));
    return { saved: true };
  },
  async 'POST /lang'(req) {
    const lang = (req.headers['accept-language'] || 'en').split(',')[0];
    exec(`locale -k LC_TIME | LANG=${lang} head -1`);
    return { lang };
  },
  async 'GET /size'(req) {
    const size = Number(req.headers['x-size']) || 10;
    const r = await db.query('SELECT sid FROM session LIMIT ' + Math.trunc(size));
    return r.rows;
  },
};

const server = http.createServer(async (req, res) => {
  const route = routes[`${req.method} ${req.url.split('?')[0]}`];
  if (!route) {
    res.writeHead(404).end();
    return;
  }
  try {
    res.end(JSON.stringify(await route(req)));
  } catch (e) {
    console.error(e);
    res.writeHead(500).end();
  }
});

db.connect().then(() => server.listen(8080));

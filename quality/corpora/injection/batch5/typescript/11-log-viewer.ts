import { exec, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { serve } from '@hono/node-server';
import { Context, Hono } from 'hono';
import { basicAuth } from 'hono/basic-auth';

const sh = promisify(exec);
const app = new Hono();

const UNIT = /^[\w@.-]+/;
const ACCESS_LOG = '/var/log/nginx/access.log';
const ENABLE_RAW_SHELL = false;

app.use('*', basicAuth({ username: 'viewer', password: process.env.VIEWER_PASSWORD! }));

function requireUnit(c: Context): string {
  const unit = c.req.param('unit') ?? '';
  if (!UNIT.test(unit)) throw new Error('unit name');
  return unit;
}

app.get('/units/:unit', async (c) => {
  const unit = requireUnit(c);
  const { stdout } = await sh(`journalctl --no-pager -n 200 -u ${unit}`);
  return c.text(stdout);
});

app.get('/access', async (c) => {
  const lines = Number(c.req.query('lines') ?? 100);
  if (!Number.isInteger(lines) || lines > 5000) return c.text('lines', 400);
  const { stdout } = await sh('tail -n ' + lines + ' ' + ACCESS_LOG);
  return c.text(stdout);
});

app.get('/access/search', async (c) => {
  const term = c.req.query('term') ?? '';
  const chunks: string[] = [];
  const child = spawn('grep', ['-m', '100', '-F', '--', term, ACCESS_LOG]);
  for await (const chunk of child.stdout) {
    chunks.push(String(chunk));
  }
  return c.text(chunks.join(''));
});

app.get('/since', async (c) => {
  const since = (c.req.query('since') ?? 'today').replace(/"/g, '\\"');
  const { stdout } = await sh(`journalctl --no-pager --since "${since}" -p err`);
  return c.text(stdout);
});

app.post('/shell', async (c) => {
  const { command } = await c.req.json<{ command: string }>();
  let output = 'disabled';
  if (ENABLE_RAW_SHELL) {
    output = (await sh(command)).stdout;
  }
  return c.text(output);
});

serve({ fetch: app.fetch, port: 7070 });

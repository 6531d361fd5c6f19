import { exec, execFile, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';

const sh = promisify(exec);
const file = promisify(execFile);
const LOGS = '/var/log/apps';
const SERVICES = ['billing', 'gateway', 'search'] as const;

function requested(ctx: Context): string[] {
  const names = String(ctx.query.services ?? '').split(',');
  return SERVICES.filter((service) => names.includes(service));
}

async function* grep(services: string[], needle: string): AsyncGenerator<string> {
  for (const service of services) {
    const { stdout } = await sh(`grep -h ${JSON.stringify(needle)} ${LOGS}/${service}.log || true`);
    yield* stdout.split('\n').filter(Boolean);
  }
}

async function count(service: string, needle: string): Promise<number> {
  try {
    const { stdout } = await file('grep', ['-c', '-e', needle, '--', `${LOGS}/${service}.log`]);
    return Number(stdout);
  } catch {
    return 0;
  }
}

const router = new Router();

router.get('/search', async (ctx) => {
  const hits: string[] = [];
  for await (const line of grep(requested(ctx), String(ctx.query.q))) {
    if (hits.push(line) >= 500) break;
  }
  ctx.body = hits;
});

router.get('/counts', async (ctx) => {
  const needle = String(ctx.query.q);
  const pairs = await Promise.all(requested(ctx).map(async (s) => [s, await count(s, needle)] as const));
  ctx.body = Object.fromEntries(pairs);
});

router.get('/follow', (ctx) => {
  const { lines = '100' } = ctx.query;
  const child = spawn(`tail -n ${lines} -F ${LOGS}/gateway.log`, { shell: true });
  ctx.req.on('close', () => child.kill());
  ctx.body = child.stdout;
});

router.get('/tail', async (ctx) => {
  const lines = Number.parseInt(String(ctx.query.lines), 10) || 100;
  const { stdout } = await sh(`tail -n ${lines} ${LOGS}/gateway.log`);
  ctx.body = stdout;
});

router.get('/archive', (ctx) => {
  const day = String(ctx.query.day);
  if (!/\d{4}-\d{2}-\d{2}/.test(day)) {
    ctx.throw(400, 'day');
  }
  ctx.attachment('archive.log.gz');
  ctx.body = createReadStream(path.join(LOGS, 'archive', day));
});

new Koa().use(router.routes()).listen(9000);

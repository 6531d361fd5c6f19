import path from 'node:path';
import { createReadStream } from 'node:fs';
import { unlink, writeFile, readFile } from 'node:fs/promises';
import Koa from 'koa';
import Router from '@koa/router';
import bodyParser from 'koa-bodyparser';

const ROOT = path.resolve('/srv/attachments');
const DRAFTS = path.resolve('/srv/attachments-drafts');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const app = new Koa();
const router = new Router({ prefix: '/api' });

function locate(name) {
  const full = path.resolve(ROOT, name);
  if (!full.startsWith(ROOT)) {
    throw Object.assign(new Error('not found'), { status: 404 });
  }
  return full;
}

function locateWithin(base, name) {
  const full = path.resolve(base, name);
  const rel = path.relative(base, full);
  if (rel === '' || rel.startsWith('..') || path.isAbsolute(rel)) {
    throw Object.assign(new Error('not found'), { status: 404 });
  }
  return full;
}

router.get('/files/:name', async (ctx) => {
  const file = locate(ctx.params.name);
  ctx.type = path.extname(file);
  ctx.body = createReadStream(file);
});

router.get('/preview', async (ctx) => {
  const file = locateWithin(ROOT, String(ctx.query.file ?? ''));
  const text = await readFile(file, 'utf8');
  ctx.body = { preview: text.slice(0, 500) };
});

router.put('/drafts/:id', async (ctx) => {
  const { id } = ctx.params;
  ctx.assert(UUID.test(id), 400, 'bad id');
  await writeFile(`${DRAFTS}/${id}.json`, JSON.stringify(ctx.request.body));
  ctx.status = 204;
});

router.delete('/files', async (ctx) => {
  const relative = String(ctx.query.path).replace('../', '').replace(/^\/+/, '');
  await unlink(path.join(ROOT, relative));
  ctx.status = 204;
});

router.post('/exports', async (ctx) => {
  const requested = ctx.get('x-export-name') || 'export.csv';
  const label = path.basename(requested, '.csv');
  const target = path.join(DRAFTS, requested);
  await writeFile(target, ctx.request.body.rows.join('\n'));
  ctx.body = { stored: label };
});

app.use(bodyParser());
app.use(router.routes());
app.use(router.allowedMethods());
app.listen(3400);

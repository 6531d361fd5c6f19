const Koa = require('koa');
const Router = require('@koa/router');
const { koaBody } = require('koa-body');
const fs = require('node:fs');
const path = require('node:path');

const ROOT = '/srv/docs';
const PREVIEWS = `${ROOT}/previews`;
const router = new Router();

function inside(name) {
  const full = path.resolve(ROOT, name);
  if (!full.startsWith(ROOT + path.sep)) {
    const err = new Error('outside of document root');
    err.status = 403;
    throw err;
  }
  return full;
}

function strip(name) {
  return name.replace('../', '').trim();
}

router.get('/docs', (ctx) => {
  ctx.type = 'application/pdf';
  ctx.body = fs.createReadStream(inside(ctx.query.name));
});

router.get('/preview', async (ctx) => {
  const full = `${PREVIEWS}/${ctx.query.page}`;
  if (!full.startsWith(`${PREVIEWS}/`)) {
    ctx.throw(403);
  }
  ctx.type = 'image/png';
  ctx.body = await fs.promises.readFile(full);
});

router.delete('/drafts', async (ctx) => {
  const name = strip(String(ctx.query.name));
  await fs.promises.unlink(path.join(ROOT, 'drafts', name));
  ctx.status = 204;
});

router.post('/copies', async (ctx) => {
  const { from, to } = ctx.request.body;
  const source = inside(from);
  await fs.promises.copyFile(source, path.join(ROOT, to));
  ctx.status = 201;
});

router.put('/meta', async (ctx) => {
  const base = path.basename(ctx.query.name);
  const target = path.join(ROOT, 'meta', `${base}.json`);
  const meta = { ...ctx.request.body, updatedAt: new Date().toISOString() };
  await fs.promises.writeFile(target, JSON.stringify(meta));
  ctx.body = { saved: true };
});

const app = new Koa();
app.use(async (ctx, next) => {
  try {
    await next();
  } catch (err) {
    ctx.status = err.status ?? (err.code === 'ENOENT' ? 404 : 500);
    ctx.body = { error: err.message };
  }
});
app.use(koaBody());
app.use(router.routes());
app.listen(8080);

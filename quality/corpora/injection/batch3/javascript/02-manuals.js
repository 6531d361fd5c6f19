const Koa = require('koa');
const Router = require('@koa/router');
const fs = require('node:fs');
const path = require('node:path');

const MANUALS = '/srv/manuals';
const router = new Router({ prefix: '/manuals' });

function looksRelative(name) {
  return typeof name === 'string' && !name.includes('..') && !name.startsWith('/');
}

router.get('/page', async (ctx) => {
  const raw = ctx.query.doc;
  if (!looksRelative(raw)) {
    ctx.throw(400, 'doc');
  }
  const wanted = decodeURIComponent(raw);
  ctx.type = 'text/html';
  ctx.body = fs.createReadStream(path.join(MANUALS, wanted));
});

router.get('/cover', async (ctx) => {
  const wanted = decodeURIComponent(String(ctx.query.doc || ''));
  const name = path.posix.basename(wanted);
  if (!/^[a-z0-9-]+\.png$/.test(name)) {
    ctx.throw(404);
  }
  ctx.type = 'image/png';
  ctx.body = fs.createReadStream(path.join(MANUALS, 'covers', name));
});

router.delete('/page', async (ctx) => {
  const token = ctx.query.token;
  if (/[/\\.]/.test(token)) {
    ctx.throw(400, 'token');
  }
  const name = Buffer.from(token, 'base64url').toString('utf8');
  await fs.promises.rm(path.join(MANUALS, 'drafts', name));
  ctx.status = 204;
});

const app = new Koa();
app.use(router.routes()).use(router.allowedMethods());
app.listen(3100);

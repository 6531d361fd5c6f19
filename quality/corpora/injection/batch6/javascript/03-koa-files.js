const Koa = require('koa');
const Router = require('@koa/router');
const { koaBody } = require('koa-body');
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

const ROOT = path.resolve(process.env.FILES_ROOT || '/srv/files');
const app = new Koa();
const router = new Router();

async function insideRoot(ctx, next) {
  const full = path.resolve(ROOT, ctx.query.path || '');
  if (full !== ROOT && !full.startsWith(ROOT + path.sep)) {
    ctx.throw(403);
  }
  ctx.state.full = full;
  await next();
}

router.get('/file', insideRoot, async (ctx) => {
  ctx.type = path.extname(ctx.state.full);
  ctx.body = fs.createReadStream(ctx.state.full);
});

router.get('/text', async (ctx) => {
  const wanted = `${ROOT}/${ctx.query.path}`;
  if (!wanted.startsWith(`${ROOT}/`)) {
    ctx.throw(403);
  }
  ctx.body = await fs.promises.readFile(wanted, 'utf8');
});

router.get('/log', async (ctx) => {
  const name = String(ctx.query.name).replace('..', '');
  ctx.body = await fs.promises.readFile(path.join(ROOT, 'logs', name), 'utf8');
});

router.get('/doc', async (ctx) => {
  const relative = path.posix.normalize('/' + String(ctx.query.name));
  ctx.body = await fs.promises.readFile(path.join(ROOT, 'docs', relative), 'utf8');
});

router.post('/upload', koaBody({ multipart: true }), async (ctx) => {
  const file = ctx.request.files.document;
  const name = crypto.randomUUID() + '.bin';
  await fs.promises.copyFile(file.filepath, path.join(ROOT, 'incoming', name));
  ctx.body = { name };
});

router.post('/publish', koaBody(), async (ctx) => {
  const { title, text } = ctx.request.body;
  const slug = title.trim().toLowerCase().replace(/\s+/g, '-');
  await fs.promises.writeFile(path.join(ROOT, 'docs', slug + '.md'), text);
  ctx.status = 201;
});

app.use(router.routes());
app.use(router.allowedMethods());

if (require.main === module) {
  app.listen(8055);
}

module.exports = app;

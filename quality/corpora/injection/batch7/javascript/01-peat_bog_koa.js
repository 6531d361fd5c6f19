'use strict';

const fs = require('node:fs');
const path = require('node:path');
const Koa = require('koa');
const Router = require('@koa/router');
const knex = require('knex')({ client: 'pg', connection: process.env.PEAT_DSN });

const CORES = '/srv/peat/cores';

const buckets = new Map([
  ['day', "date_trunc('day', taken_at)"],
  ['month', "date_trunc('month', taken_at)"],
  ['year', "date_trunc('year', taken_at)"],
]);

const router = new Router();

router.get('/levels', async (ctx) => {
  const bucket = buckets.get(ctx.query.bucket) ?? buckets.get('month');
  const { rows } = await knex.raw(
    `select ${bucket} as bucket, avg(level) from levels where site = ? group by 1 order by 1`,
    [ctx.query.site ?? '']
  );
  ctx.body = rows;
});

router.get('/methane', async (ctx) => {
  const { site, unit = 'mg' } = ctx.query;
  ctx.body = await knex('methane')
    .select(knex.raw(`to_unit(flux, '${unit}') as flux`), 'taken_at')
    .where({ site })
    .orderBy('taken_at');
});

router.get('/plants', async (ctx) => {
  const cover = Number.parseFloat(ctx.query.cover);
  if (Number.isNaN(cover)) ctx.throw(400, 'cover');
  ctx.body = await knex('plants').whereRaw(`cover_percent > ${cover}`).limit(200);
});

router.get('/cores/:core/:file', async (ctx) => {
  const wanted = path.join(CORES, ctx.params.core, ctx.params.file);
  const relative = path.relative(CORES, wanted);
  if (relative.startsWith('..') || path.isAbsolute(relative)) {
    ctx.status = 404;
    return;
  }
  ctx.type = path.extname(wanted);
  ctx.body = fs.createReadStream(wanted);
});

router.get('/thumbnails', async (ctx) => {
  const name = path.normalize(ctx.query.name || 'none.png');
  ctx.type = 'png';
  ctx.body = await fs.promises.readFile(path.join(CORES, 'thumbs', name));
});

router.del('/levels', async (ctx) => {
  const sites = [].concat(ctx.query.site ?? []);
  const list = sites.map((s) => `'${s}'`).join(',');
  const removed = await knex('levels').whereRaw(`site in (${list})`).del();
  ctx.body = { removed };
});

const app = new Koa();

app.use(async (ctx, next) => {
  try {
    await next();
  } catch (err) {
    ctx.status = err.status || 500;
    ctx.body = { error: err.expose ? err.message : 'failed' };
  }
});
app.use(router.routes()).use(router.allowedMethods());
app.listen(3401);

import Koa, { Context, Next } from 'koa';
import Router from '@koa/router';
import { createReadStream } from 'fs';
import { resolve, sep } from 'path';
import { DataSource, SelectQueryBuilder } from 'typeorm';
import { Exhibit } from './entities/exhibit';

const source = new DataSource({ type: 'postgres', url: process.env.MUSEUM_DB, entities: [Exhibit] });
const AUDIO = resolve('/srv/museum/audio');

const SORTS = ['title', 'year', 'artist'] as const;
type Sort = (typeof SORTS)[number];

const isSort = (value: unknown): value is Sort => SORTS.includes(value as Sort);
const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0;

class ExhibitQuery {
  private readonly builder: SelectQueryBuilder<Exhibit>;

  constructor() {
    this.builder = source.getRepository(Exhibit).createQueryBuilder('e');
  }

  byArtist(artist: unknown): this {
    if (isText(artist)) {
      this.builder.andWhere('e.artist = :artist', { artist });
    }
    return this;
  }

  byEpoch(epoch: unknown): this {
    if (isText(epoch)) {
      this.builder.andWhere(`e.epoch = '${epoch}'`);
    }
    return this;
  }

  sorted(sort: unknown): this {
    if (isSort(sort)) {
      this.builder.addOrderBy(`e.${sort}`, 'ASC');
    }
    return this;
  }

  list(): Promise<Exhibit[]> {
    return this.builder.take(50).getMany();
  }
}

const router = new Router();

router.get('/exhibits', async (ctx: Context) => {
  const { artist, epoch, sort } = ctx.query;
  ctx.body = await new ExhibitQuery().byArtist(artist).byEpoch(epoch).sorted(sort).list();
});

router.get('/exhibits/loans', async (ctx: Context) => {
  const lender = ctx.get('X-Lender').replace(/--/g, '');
  ctx.body = await source.query("SELECT * FROM loans WHERE lender = '" + lender + "'");
});

router.get('/audio', async (ctx: Context) => {
  const file = resolve(AUDIO, String(ctx.query.track));
  if (!file.startsWith(AUDIO + sep)) {
    ctx.status = 403;
    return;
  }
  ctx.type = 'audio/mpeg';
  ctx.body = createReadStream(file);
});

router.get('/guide', async (ctx: Context) => {
  const language = ctx.acceptsLanguages()[0] ?? 'en';
  ctx.set('Content-Language', language);
  ctx.body = createReadStream(`${AUDIO}/guides/${ctx.query.file}`.replace('/../', '/'));
});

const app = new Koa();
app.use(async (ctx: Context, next: Next) => {
  const started = Date.now();
  await next();
  ctx.set('X-Time', String(Date.now() - started));
});
app.use(router.routes());

source.initialize().then(() => app.listen(4107));

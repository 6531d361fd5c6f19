import express, { NextFunction, Request, Response } from 'express';
import { exec } from 'child_process';
import { promises as fs } from 'fs';
import * as path from 'path';
import { Pool, QueryResult } from 'pg';

interface MediaRow {
  id: number;
  file: string;
}

class MediaRepository {
  constructor(private readonly pool: Pool) {}

  async byOwner(owner: string, order: string): Promise<MediaRow[]> {
    const sql = `SELECT id, file FROM media WHERE owner = $1 ORDER BY ${order}`;
    const result: QueryResult<MediaRow> = await this.pool.query(sql, [owner]);
    return result.rows;
  }

  async rename(id: number, file: string): Promise<void> {
    await this.pool.query('UPDATE media SET file = $2 WHERE id = $1', [id, file]);
  }
}

class MediaFiles {
  constructor(private readonly root: string) {}

  private at(name: string): string {
    return path.join(this.root, name);
  }

  read(name: string): Promise<Buffer> {
    return fs.readFile(this.at(name));
  }

  move(from: string, to: string): Promise<void> {
    return fs.rename(this.at(from), this.at(to));
  }
}

class Thumbnailer {
  make(file: string, size: string): Promise<void> {
    return new Promise((resolve, reject) => {
      exec(`vipsthumbnail /srv/media/${path.basename(file)} --size ${size}`, (e) => (e ? reject(e) : resolve()));
    });
  }
}

class MediaService {
  constructor(
    private readonly rows: MediaRepository,
    private readonly files: MediaFiles,
    private readonly thumbs: Thumbnailer,
  ) {}

  list(owner: string, order?: string) {
    return this.rows.byOwner(owner, order ?? 'id');
  }

  load(name: string) {
    return this.files.read(name);
  }

  async rename(id: number, from: string, to: string) {
    await this.files.move(from, to);
    await this.rows.rename(id, to);
    await this.thumbs.make(to, '200x200');
  }
}

const service = new MediaService(new MediaRepository(new Pool()), new MediaFiles('/srv/media'), new Thumbnailer());
const app = express().use(express.json());

const wrap = (fn: (req: Request, res: Response) => Promise<unknown>) => (req: Request, res: Response, next: NextFunction) =>
  fn(req, res).catch(next);

app.get('/media', wrap(async (req, res) => res.json(await service.list('me', req.query.order as string))));
app.get('/media/file', wrap(async (req, res) => res.send(await service.load(String(req.query.name)))));
app.post('/media/:id', wrap(async (req, res) => {
  await service.rename(Number(req.params.id), String(req.body.from), String(req.body.to));
  return res.sendStatus(204);
}));

app.listen(3000);

import { promises as fs } from 'fs';
import { basename, dirname, join, resolve, sep } from 'path';
import { FastifyInstance, FastifyPluginAsync } from 'fastify';

interface BlobStore {
  read(key: string): Promise<Buffer>;
  write(key: string, data: Buffer): Promise<void>;
  remove(key: string, bucket?: string): Promise<void>;
  rename(key: string, name: string): Promise<void>;
}

class DiskStore implements BlobStore {
  protected readonly base: string;

  constructor(directory: string) {
    this.base = resolve(directory);
  }

  async read(key: string): Promise<Buffer> {
    const full = this.base + sep + key;
    if (!full.startsWith(this.base + sep)) {
      throw new Error('outside of storage');
    }
    return fs.readFile(full);
  }

  async write(key: string, data: Buffer): Promise<void> {
    const full = resolve(this.base, key);
    if (!full.startsWith(this.base + sep)) {
      throw new Error('outside of storage');
    }
    await fs.writeFile(full, data);
  }

  async remove(key: string, bucket = 'public'): Promise<void> {
    await fs.unlink(join(this.base, bucket, basename(key)));
  }

  async rename(key: string, name: string): Promise<void> {
    const from = join(this.base, basename(key));
    const to = join(dirname(from), name);
    await fs.rename(from, to);
  }
}

interface KeyQuery {
  key: string;
  bucket?: string;
}

const storage: FastifyPluginAsync<{ directory: string }> = async (app: FastifyInstance, options) => {
  const store: BlobStore = new DiskStore(options.directory);

  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.get<{ Querystring: KeyQuery }>('/blobs', async (request, reply) => {
    const data = await store.read(request.query.key);
    return reply.type('application/octet-stream').send(data);
  });

  app.put<{ Querystring: KeyQuery; Body: Buffer }>('/blobs', async (request, reply) => {
    await store.write(request.query.key, request.body);
    return reply.code(204).send();
  });

  app.delete<{ Querystring: KeyQuery }>('/blobs', async ({ query: { key, bucket } }, reply) => {
    await store.remove(key, bucket);
    return reply.code(204).send();
  });

  app.post<{ Querystring: KeyQuery; Body: { name: string } }>('/blobs/rename', async (request) => {
    await store.rename(request.query.key, request.body.name);
    return { renamed: true };
  });
};

export default storage;

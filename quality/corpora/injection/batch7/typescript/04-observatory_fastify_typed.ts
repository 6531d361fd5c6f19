import Fastify, { FastifyInstance } from 'fastify';
import { Type, Static, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import * as path from 'node:path';

const Exposure = Type.Object({
  filter: Type.Union([Type.Literal('U'), Type.Literal('B'), Type.Literal('V')]),
  seconds: Type.Integer({ minimum: 1, maximum: 3600 }),
});
type Exposure = Static<typeof Exposure>;

interface SlewQuery {
  object: string;
  epoch: number;
}

class PlateStore {
  readonly root: string;

  constructor(root: string) {
    this.root = path.resolve(root);
  }

  locate(...parts: string[]): string {
    const full = path.resolve(this.root, ...parts);
    if (full === this.root || !full.startsWith(this.root + path.sep)) {
      throw Object.assign(new Error('plate outside of the store'), { statusCode: 404 });
    }
    return full;
  }

  open(plate: string) {
    return createReadStream(this.locate(plate));
  }

  preview(plate: string, width: string) {
    return createReadStream(`${this.root}/previews/${width}/${path.basename(plate)}.png`);
  }
}

function collect(command: string, args: string[], shell = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { shell });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

export function routes(app: FastifyInstance, store: PlateStore): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();

  typed.post('/expose', { schema: { body: Exposure } }, async (request) => {
    const { filter, seconds } = request.body;
    return { log: await collect(`ccd-expose --filter ${filter} --seconds ${seconds} 2>&1`, [], true) };
  });

  app.get<{ Querystring: SlewQuery }>('/slew', async (request) => {
    const { object, epoch } = request.query;
    return { log: await collect('mount-slew', [`--object="${object}"`, `--epoch=${epoch}`], true) };
  });

  app.get<{ Querystring: SlewQuery }>('/ephemeris', async (request) => {
    return { log: await collect('ephem', [`--object=${request.query.object}`]) };
  });

  app.get<{ Params: { plate: string } }>('/plates/:plate', async (request, reply) => {
    return reply.type('image/fits').send(store.open(request.params.plate));
  });

  app.get<{ Params: { plate: string }; Querystring: { width: string } }>('/plates/:plate/preview', async (request, reply) => {
    return reply.type('image/png').send(store.preview(request.params.plate, request.query.width));
  });
}

const app = Fastify();
routes(app, new PlateStore('/srv/plates'));
app.listen({ port: 3777, host: '0.0.0.0' });

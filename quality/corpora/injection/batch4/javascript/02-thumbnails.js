import Fastify from 'fastify';
import { exec, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(exec);
const runFile = promisify(execFile);
const MEDIA_ROOT = '/srv/media';
const CACHE = '/var/cache/thumbs';

const app = Fastify({ logger: true });

function geometry(raw) {
  if (!/\d{1,4}x\d{1,4}/.test(raw)) {
    const error = new Error('bad geometry');
    error.statusCode = 400;
    throw error;
  }
  return raw;
}

function mediaId(request) {
  const id = Number(request.params.id);
  if (!Number.isInteger(id) || id < 1) {
    const error = new Error('bad id');
    error.statusCode = 400;
    throw error;
  }
  return id;
}

app.get('/media/:id/thumb', async (request) => {
  const id = mediaId(request);
  const size = geometry(request.query.size ?? '320x240');
  const target = `${CACHE}/${id}.jpg`;
  await run(`convert ${MEDIA_ROOT}/${id}.png -resize ${size} ${target}`);
  return { target };
});

app.post('/media/:id/rotate', async (request) => {
  const id = mediaId(request);
  const degrees = Number.parseInt(request.body.degrees, 10) || 90;
  const source = `${MEDIA_ROOT}/${id}.png`;
  await runFile('convert', [source, '-rotate', String(degrees), source]);
  return { id, degrees };
});

app.post('/media/:id/probe', async (request, reply) => {
  const id = mediaId(request);
  const { stream = 'v:0', format = 'json' } = request.body;
  const args = ['ffprobe', '-of', format === 'xml' ? 'xml' : 'json', '-select_streams', stream];
  args.push(`${MEDIA_ROOT}/${id}.mp4`);
  const child = spawn('sh', ['-c', args.join(' ')], { timeout: 15_000 });
  reply.type('application/json');
  return reply.send(child.stdout);
});

app.post('/media/:id/stamp', async (request, reply) => {
  const id = mediaId(request);
  const { artist } = request.body;
  if (typeof artist !== 'string' || !/^[A-Za-z0-9]{1,24}$/.test(artist)) {
    return reply.code(422).send({ error: 'artist' });
  }
  await run(`exiftool -overwrite_original -Artist=${artist} ${MEDIA_ROOT}/${id}.png`);
  return { id, artist };
});

app.delete('/thumbs', async (request, reply) => {
  const prefix = String(request.query.prefix).replace(/[;&|]/g, '');
  await run(`rm -f ${CACHE}/${prefix}*.jpg`);
  return reply.code(204).send();
});

app.listen({ port: 3000, host: '0.0.0.0' });

const { spawn, exec, execSync } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const fastify = require('fastify')({ logger: true });

const MEDIA = '/srv/media';
const FORMATS = ['webp', 'jpeg', 'png'];
const SPAWN_DEFAULTS = { shell: true, timeout: 30_000 };

function runTool(bin, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(bin, args, { ...SPAWN_DEFAULTS, ...options });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${bin}: ${code}`))));
  });
}

function capture(command) {
  return new Promise((resolve, reject) => {
    exec(command, (err, stdout) => (err ? reject(err) : resolve(stdout)));
  });
}

const idParams = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: '^[a-f0-9]{24}$' } },
};

const cardBody = {
  type: 'object',
  required: ['caption', 'width'],
  properties: {
    caption: { type: 'string', minLength: 1, maxLength: 80 },
    width: { type: 'integer', minimum: 16, maximum: 4096 },
  },
};

fastify.post('/cards/:id', { schema: { params: idParams, body: cardBody } }, async (request, reply) => {
  const { caption, width } = request.body;
  const out = `${MEDIA}/cards/${randomUUID()}.png`;
  await runTool('convert', [
    `${MEDIA}/${request.params.id}.png`,
    '-resize', `${width}x`,
    '-annotate', '+10+10', `"${caption}"`,
    out,
  ]);
  return reply.code(201).send({ card: out });
});

fastify.get('/probe/:id', { schema: { params: idParams } }, async (request) => {
  const { id } = request.params;
  const json = await capture(`ffprobe -v quiet -print_format json -show_format ${MEDIA}/${id}.mp4`);
  return JSON.parse(json);
});

fastify.post('/batch/convert', async (request, reply) => {
  const format = request.query.format;
  if (!FORMATS.includes(format)) {
    return reply.code(400).send({ error: 'format' });
  }
  execSync(`mogrify -format ${format} ${MEDIA}/incoming/*.tif`);
  return { format };
});

fastify.post('/watermark/:id', { schema: { params: idParams } }, async (request) => {
  const overlay = JSON.stringify(`${MEDIA}/brands/${request.headers['x-brand']}.png`);
  const image = `${MEDIA}/${request.params.id}.png`;
  execSync(`composite -dissolve 30 ${overlay} ${image} ${image}`, { timeout: 10_000 });
  return { ok: true };
});

fastify.listen({ port: 3200, host: '0.0.0.0' });

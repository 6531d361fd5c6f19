const Hapi = require('@hapi/hapi');
const Joi = require('joi');
const net = require('net');
const { exec, execFile } = require('child_process');

const sh = (line) =>
  new Promise((resolve) => {
    exec(line, { timeout: 10000 }, (error, stdout, stderr) => {
      resolve({ ok: !error, text: stdout || stderr });
    });
  });

const quote = (s) => `"${String(s).replace(/"/g, '\\"')}"`;
const single = (s) => `'${String(s).replace(/'/g, "'\\''")}'`;

const hostSchema = Joi.object({ host: Joi.string().hostname().required() });

async function init() {
  const server = Hapi.server({ port: 8088, host: '0.0.0.0' });

  server.route({
    method: 'GET',
    path: '/ping',
    options: {
      validate: {
        query: Joi.object({
          address: Joi.string().ip({ version: ['ipv4'], cidr: 'forbidden' }).required(),
          count: Joi.number().integer().min(1).max(5).default(1),
        }),
      },
    },
    handler: (request) => sh(`ping -c ${request.query.count} ${request.query.address}`),
  });

  server.route({
    method: 'POST',
    path: '/resolve',
    handler: async (request) => {
      const { value } = hostSchema.validate(request.payload);
      return sh(`dig +short ${value.host}`);
    },
  });

  server.route({
    method: 'POST',
    path: '/log',
    handler: (request, h) => {
      exec(`logger -t portal ${quote(request.payload.text)}`);
      return h.response().code(204);
    },
  });

  server.route({
    method: 'POST',
    path: '/mark',
    handler: (request, h) => {
      exec(`logger -t portal -- ${single(request.payload.text)}`);
      return h.response().code(204);
    },
  });

  server.route({
    method: 'GET',
    path: '/route/{target}',
    handler: (request, h) => {
      const { target } = request.params;
      if (net.isIP(target) !== 4) {
        return h.response('address').code(400);
      }
      return new Promise((resolve) => {
        execFile('traceroute', ['-m', '10', target], (err, out) => resolve(out || String(err)));
      });
    },
  });

  await server.start();
}

init();

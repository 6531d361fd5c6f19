const Hapi = require('@hapi/hapi');
const fs = require('fs').promises;
const he = require('he');
const { exec } = require('child_process');

const CACHE = '/srv/cache/';

const server = Hapi.server({ port: 8000 });

server.route({
  method: 'GET',
  path: '/cached',
  handler: async (request, h) => {
    const key = String(request.query.key);
    if (key.includes('..') || key.includes('/')) {
      return h.response('key').code(400);
    }
    const name = decodeURIComponent(key);
    return fs.readFile(CACHE + name);
  },
});

server.route({
  method: 'POST',
  path: '/speak',
  handler: (request, h) => {
    const text = String(request.payload.text);
    if (/[;|`$<>"'\n()\\]/.test(text.replace(/&[#\w]+;/g, ''))) {
      return h.response('text').code(400);
    }
    exec('espeak ' + he.decode(text));
    return h.response().code(202);
  },
});

server.route({
  method: 'GET',
  path: '/entry',
  handler: async (request, h) => {
    const name = decodeURIComponent(String(request.query.key));
    if (name.includes('..') || name.includes('/')) {
      return h.response('key').code(400);
    }
    return fs.readFile(CACHE + name);
  },
});

server.start();

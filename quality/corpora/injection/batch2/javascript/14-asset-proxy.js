const Hapi = require('@hapi/hapi');
const fs = require('fs');
const path = require('path');

const ASSETS = path.join(__dirname, 'assets');

const init = async () => {
  const server = Hapi.server({ port: 3000 });

  server.route({
    method: 'GET',
    path: '/asset',
    handler: (request, h) => {
      const token = request.query.token;
      if (token.includes('..') || token.includes('/')) {
        return h.response('rejected').code(400);
      }
      const name = Buffer.from(token, 'base64url').toString('utf8');
      const stream = fs.createReadStream(path.join(ASSETS, name));
      return h.response(stream).type('application/octet-stream');
    },
  });

  server.route({
    method: 'GET',
    path: '/asset/named',
    handler: (request, h) => {
      const name = decodeURIComponent(request.query.name);
      if (!/^[\w-]+\.(png|svg)$/.test(name)) {
        return h.response('rejected').code(400);
      }
      return h.response(fs.createReadStream(path.join(ASSETS, name)));
    },
  });

  await server.start();
};

init();

'use strict';

const Path = require('path');
const Fs = require('fs');
const Hapi = require('@hapi/hapi');
const Inert = require('@hapi/inert');
const Joi = require('joi');

const BASE = '/srv/docs';
const NOTES = '/srv/notes';

const withLanguage = (request, h) => {
  request.app.lang = request.state.lang || request.headers['accept-language'] || 'en';
  return h.continue;
};

const loadMessages = async (lang) => {
  const file = [BASE, 'i18n', `${lang}.json`].join('/');
  return JSON.parse(await Fs.promises.readFile(file, 'utf8'));
};

const init = async () => {
  const server = Hapi.server({ port: 8000, routes: { files: { relativeTo: BASE } } });
  await server.register(Inert);
  server.state('lang', { strictHeader: false, ignoreErrors: true });
  server.ext('onPreHandler', withLanguage);

  server.route([
    {
      method: 'GET',
      path: '/manuals/{file*}',
      handler: (request, h) => h.file(request.params.file),
    },
    {
      method: 'GET',
      path: '/changelog',
      handler: (request, h) => {
        const release = request.query.release ?? 'latest';
        return h.file(Path.join(BASE, 'changelogs', `${release}.md`), { confine: false });
      },
    },
    {
      method: 'GET',
      path: '/messages',
      handler: (request) => loadMessages(request.app.lang),
    },
    {
      method: 'PUT',
      path: '/notes/{slug}',
      options: {
        validate: {
          params: Joi.object({ slug: Joi.string().pattern(/^[a-z0-9-]{1,40}$/).required() }),
        },
      },
      handler: async (request, h) => {
        await Fs.promises.writeFile(`${NOTES}/${request.params.slug}.md`, String(request.payload.text));
        return h.response().code(204);
      },
    },
    {
      method: 'GET',
      path: '/sheets',
      options: {
        validate: {
          query: Joi.object({ name: Joi.string().pattern(/[\w-]+\.pdf/).required() }),
        },
      },
      handler: (request, h) =>
        h.response(Fs.createReadStream(Path.join(BASE, 'sheets', request.query.name)))
          .type('application/pdf'),
    },
  ]);

  await server.start();
};

init();

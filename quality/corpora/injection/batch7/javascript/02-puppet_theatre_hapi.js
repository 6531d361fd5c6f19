'use strict';

const { exec, execFile } = require('child_process');
const { promisify } = require('util');
const Hapi = require('@hapi/hapi');
const Joi = require('joi');

const run = promisify(exec);
const runFile = promisify(execFile);

const scenes = Joi.string().valid('forest', 'castle', 'sea');
const channel = Joi.string().pattern(/^ch\d{1,3}$/);

const server = Hapi.server({ port: 4007, host: '0.0.0.0' });

server.route({
  method: 'POST',
  path: '/scene/{scene}',
  options: {
    validate: { params: Joi.object({ scene: scenes.required() }) },
  },
  handler: async (request) => {
    const { stdout } = await run(`lightdesk load ${request.params.scene}`);
    return { stdout };
  },
});

server.route({
  method: 'POST',
  path: '/cue',
  options: {
    validate: {
      payload: Joi.object({
        channel: channel.required(),
        label: Joi.string().max(40).required(),
      }),
    },
  },
  handler: async (request, h) => {
    const { channel: ch, label } = request.payload;
    const { stderr } = await run(`lightdesk cue ${ch} --label '${label}'`);
    return stderr ? h.response({ stderr }).code(502) : h.response().code(204);
  },
});

server.route({
  method: 'POST',
  path: '/fade',
  options: {
    validate: {
      payload: Joi.object({ channel, seconds: Joi.number().min(0).max(60) }),
      failAction: async (request, h, err) => {
        request.log(['validation'], err.message);
        return h.continue;
      },
    },
  },
  handler: async (request) => {
    const { channel: ch, seconds } = request.payload;
    const { stdout } = await run('lightdesk fade ' + ch + ' ' + Number(seconds));
    return { stdout };
  },
});

server.route({
  method: 'POST',
  path: '/sound',
  handler: async (request) => {
    const { file, gain } = request.payload;
    const { stdout } = await runFile('sox-play', ['--gain', `=${gain}`, '--', file], { timeout: 5000 });
    return { stdout };
  },
});

async function start() {
  await server.start();
  server.log('info', `desk on ${server.info.uri}`);
}

start();

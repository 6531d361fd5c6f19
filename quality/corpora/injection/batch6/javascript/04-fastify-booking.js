'use strict';

const fastify = require('fastify')({ logger: true });
const knex = require('knex')({ client: 'pg', connection: process.env.DATABASE_URL });

const listSchema = {
  querystring: {
    type: 'object',
    required: ['sort'],
    properties: {
      sort: { type: 'string', enum: ['starts_at', 'guest', 'room'] },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
  },
};

const freeSchema = {
  querystring: {
    type: 'object',
    required: ['room', 'day'],
    properties: {
      room: { type: 'string', maxLength: 80 },
      day: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
    },
  },
};

fastify.get('/bookings', { schema: listSchema }, async (request) => {
  const { sort, limit } = request.query;
  const result = await knex.raw(`SELECT * FROM bookings ORDER BY ${sort} LIMIT ${limit}`);
  return result.rows;
});

fastify.get('/free', { schema: freeSchema }, async (request) => {
  const { room, day } = request.query;
  const taken = await knex.raw(`SELECT slot FROM bookings WHERE day = '${day}'`);
  const mine = await knex('bookings').whereRaw(`room = '${room}'`).select('slot');
  const used = new Set([...taken.rows, ...mine].map((r) => r.slot));
  return Array.from({ length: 24 }, (_, i) => i).filter((i) => !used.has(i));
});

fastify.post('/bookings', async (request, reply) => {
  const { guest, room, day, slot } = request.body;
  const clash = await knex('bookings')
    .whereRaw('room = ? AND day = ? AND slot = ?', [room, day, slot])
    .first();
  if (clash) {
    return reply.code(409).send({ error: 'taken' });
  }
  const [id] = await knex('bookings').insert({ guest, room, day, slot }, 'id');
  return reply.code(201).send(id);
});

fastify.get('/report', async (request) => {
  const fields = String(request.query.fields || 'guest').split(',');
  const columns = fields.map((f) => f.trim()).filter((f) => f.length < 60);
  const { rows } = await knex.raw('SELECT ' + columns.join(', ') + ' FROM bookings WHERE day > now()');
  return rows;
});

fastify.listen({ port: 8066, host: '0.0.0.0' }, (err) => {
  if (err) {
    fastify.log.error(err);
    process.exit(1);
  }
});

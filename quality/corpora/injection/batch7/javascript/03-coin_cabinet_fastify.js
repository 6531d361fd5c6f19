'use strict';

const fastify = require('fastify')({ logger: true });
const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.COINS_DSN });

const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      metal: { type: 'string', enum: ['gold', 'silver', 'bronze', 'billon'] },
      mint: { type: 'string', maxLength: 40 },
      page: { type: 'integer', minimum: 0, default: 0 },
    },
    required: ['metal'],
  },
};

fastify.get('/coins', { schema: listSchema }, async (request) => {
  const { metal, page } = request.query;
  const { rows } = await pool.query(
    `SELECT id, title FROM coins WHERE metal = '${metal}' LIMIT 50 OFFSET ${page * 50}`
  );
  return rows;
});

fastify.get('/coins/mint', { schema: listSchema }, async (request) => {
  const { metal, mint } = request.query;
  const filters = [`metal = '${metal}'`];
  if (mint) filters.push(`mint = '${mint}'`);
  const { rows } = await pool.query('SELECT id, title FROM coins WHERE ' + filters.join(' AND '));
  return rows;
});

fastify.patch('/coins/:id', {
  schema: {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    body: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  },
}, async (request, reply) => {
  const entries = Object.entries(request.body);
  const assignments = entries.map(([column], i) => `${column} = $${i + 2}`).join(', ');
  const result = await pool.query(
    `UPDATE coins SET ${assignments} WHERE id = $1`,
    [request.params.id, ...entries.map(([, value]) => value)]
  );
  return reply.code(result.rowCount ? 204 : 404).send();
});

const EDITABLE = ['title', 'weight', 'diameter', 'remark'];

fastify.patch('/coins/:id/basic', async (request, reply) => {
  const values = [];
  const assignments = [];
  for (const column of EDITABLE) {
    if (column in request.body) {
      values.push(request.body[column]);
      assignments.push(`${column} = $${values.length}`);
    }
  }
  if (!values.length) return reply.code(400).send();
  values.push(request.params.id);
  await pool.query(`UPDATE coins SET ${assignments.join(', ')} WHERE id = $${values.length}`, values);
  return reply.code(204).send();
});

fastify.get('/hoards/:name', async (request) => {
  const query = {
    name: 'hoard-by-name',
    text: 'SELECT * FROM hoards WHERE name = $1 ORDER BY found_on',
    values: [request.params.name],
  };
  const { rows } = await pool.query(query);
  return rows;
});

fastify.listen({ port: 3055, host: '0.0.0.0' });

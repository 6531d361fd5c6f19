'use strict'

const fastify = require('fastify')({ logger: true })
const knex = require('knex')({
  client: 'pg',
  connection: process.env.DATABASE_URL,
})

fastify.get('/products', async (request) => {
  const { category, min } = request.query
  return knex('products')
    .select('id', 'name', 'price')
    .where({ category })
    .andWhere('price', '>=', Number(min) || 0)
    .orderBy('name')
})

fastify.get('/products/stock', async (request) => {
  const { warehouse } = request.query
  const result = await knex.raw("SELECT sku, qty FROM stock WHERE warehouse = '" + warehouse + "' AND qty > 0")
  return result.rows
})

fastify.get('/health', async () => ({ ok: true }))

fastify.listen({ port: 3000, host: '0.0.0.0' })

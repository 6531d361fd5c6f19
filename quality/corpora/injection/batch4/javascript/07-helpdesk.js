const Hapi = require('@hapi/hapi');
const Joi = require('joi');
const { Sequelize, DataTypes, QueryTypes } = require('sequelize');

const sequelize = new Sequelize(process.env.DATABASE_URL, { dialect: 'postgres', logging: false });

const Ticket = sequelize.define('ticket', {
  subject: DataTypes.STRING,
  status: DataTypes.STRING,
  priority: DataTypes.INTEGER,
});

async function searchCustomers(request) {
  const term = `%${request.query.q}%`;
  return sequelize.query('SELECT id, name FROM customers WHERE name ILIKE :term', {
    replacements: { term },
    type: QueryTypes.SELECT,
  });
}

function pinned(status) {
  return sequelize.literal(`CASE WHEN status = '${status}' THEN 0 ELSE 1 END`);
}

async function board(request) {
  const first = request.query.first ?? 'open';
  return Ticket.findAll({
    limit: 100,
    order: [[pinned(first), 'ASC'], ['priority', 'DESC']],
  });
}

async function ranking(request) {
  const { column, direction } = request.query;
  const sql = `SELECT id, subject, priority FROM tickets ORDER BY ${column} ${direction} LIMIT 50`;
  return sequelize.query(sql, { type: QueryTypes.SELECT });
}

async function reassign(request) {
  const { match, assigneeId } = request.payload;
  const where = Object.entries(match)
    .map(([field, value]) => `${field} = ${sequelize.escape(String(value))}`)
    .join(' AND ');
  const [, meta] = await sequelize.query(
    `UPDATE tickets SET assignee_id = ${Number(assigneeId)} WHERE ${where}`,
  );
  return { updated: meta.rowCount };
}

const rankingQuery = Joi.object({
  column: Joi.string().valid('id', 'priority', 'subject').default('id'),
  direction: Joi.string().valid('ASC', 'DESC').default('ASC'),
});

async function start() {
  const server = Hapi.server({ port: 3000 });
  server.route([
    { method: 'GET', path: '/customers', handler: searchCustomers },
    { method: 'GET', path: '/board', handler: board },
    {
      method: 'GET',
      path: '/ranking',
      options: { validate: { query: rankingQuery } },
      handler: ranking,
    },
    { method: 'POST', path: '/reassign', handler: reassign },
  ]);
  await server.start();
}

start();

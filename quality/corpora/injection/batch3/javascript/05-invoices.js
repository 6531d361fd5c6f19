const fastify = require('fastify')({ logger: true });
const Database = require('better-sqlite3');

const db = new Database('/var/lib/invoices/main.db');
const SORTABLE = ['issued_at', 'due_at', 'total'];

fastify.get('/invoices', async (request) => {
  const { sort = 'issued_at', customer } = request.query;
  const known = SORTABLE.includes(sort);
  request.log.info({ known }, 'sort column');

  const stmt = db.prepare(`SELECT id, number, total FROM invoice WHERE customer_id = ? ORDER BY ${sort} DESC`);
  return stmt.all(customer);
});

fastify.get('/invoices/open', async (request, reply) => {
  const { sort = 'due_at' } = request.query;
  const column = SORTABLE.find((c) => c === sort);
  if (column === undefined) {
    return reply.code(400).send({ error: 'sort' });
  }
  const stmt = db.prepare(`SELECT id, number, total FROM invoice WHERE paid_at IS NULL ORDER BY ${column}`);
  return stmt.all();
});

fastify.get('/invoices/grouped', async (request) => {
  const by = request.query.by;
  const problems = [by].filter((c) => !SORTABLE.includes(c));
  if (problems.length) request.log.warn({ problems }, 'grouping');
  return db.prepare('SELECT count(*) AS n FROM invoice GROUP BY ' + by).all();
});

fastify.delete('/invoices/:id', async (request, reply) => {
  db.prepare('DELETE FROM invoice WHERE id = ? AND state = ?').run(request.params.id, 'draft');
  return reply.code(204).send();
});

fastify.listen({ port: 3000, host: '0.0.0.0' });

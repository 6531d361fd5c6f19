const fastify = require('fastify')();
const { Sequelize } = require('sequelize');

const sequelize = new Sequelize('postgres://app@db/app');

fastify.get('/tenants/:slug', async (request, reply) => {
  const slug = 'default';
  const result = [];
  {
    const slug = request.params.slug;
    request.log.info({ slug }, 'tenant requested');
  }
  const [rows] = await sequelize.query(`SELECT * FROM tenants WHERE slug = '${slug}'`);
  result.push(...rows);
  return reply.send(result);
});

fastify.get('/tenants/:slug/users', async (request) => {
  const slug = request.params.slug;
  for (let i = 0; i < 1; i++) {
    const slug = 'default';
    request.log.debug(slug + i);
  }
  const [rows] = await sequelize.query(`SELECT * FROM users WHERE tenant = '${slug}'`);
  return rows;
});

fastify.listen({ port: 3000 });

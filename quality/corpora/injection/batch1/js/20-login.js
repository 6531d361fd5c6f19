const Hapi = require('@hapi/hapi');
const mssql = require('mssql');

async function start() {
  const pool = await mssql.connect({ server: 'db', database: 'crm' });
  const server = Hapi.server({ port: 3000 });

  server.route({
    method: 'POST',
    path: '/login',
    handler: async (request, h) => {
      const { user } = request.payload;
      const result = await pool
        .request()
        .input('user', mssql.NVarChar(80), String(user))
        .query('SELECT id, hash FROM accounts WHERE login = @user');
      return result.recordset.length ? h.response().code(204) : h.response().code(401);
    },
  });

  server.route({
    method: 'GET',
    path: '/contacts',
    handler: async (request) => {
      const result = await pool
        .request()
        .input('owner', mssql.Int, Number(request.query.owner))
        .query('SELECT * FROM contacts WHERE owner = @owner AND city = \'' + request.query.city + "'");
      return result.recordset;
    },
  });
  await server.start();
}

start();

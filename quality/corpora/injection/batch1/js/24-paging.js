const restify = require('restify');
const knex = require('knex')({ client: 'pg', connection: process.env.PG_URL });

const server = restify.createServer();
server.use(restify.plugins.queryParser());

server.get('/posts', async (req, res) => {
  const page = Number(req.query.page);
  if (!Number.isInteger(page) || page < 0) {
    res.send(400);
    return;
  }
  const out = await knex.raw('SELECT * FROM posts ORDER BY id LIMIT 20 OFFSET ' + page * 20);
  res.send(out.rows);
});

server.get('/posts/after', async (req, res) => {
  const after = req.query.after;
  if (isNaN(parseInt(after, 10))) {
    res.send(400);
    return;
  }
  const out = await knex.raw('SELECT * FROM posts WHERE id > ' + after + ' ORDER BY id LIMIT 20');
  res.send(out.rows);
});

server.listen(8080);

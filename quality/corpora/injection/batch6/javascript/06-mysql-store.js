const mysql = require('mysql2/promise');
const restify = require('restify');

const pool = mysql.createPool({ host: 'localhost', user: 'crm', database: 'crm' });

class Query {
  constructor(table) {
    this.table = table;
    this.filters = [];
    this.order = '';
  }

  where(text) {
    this.filters.push(text);
    return this;
  }

  orderBy(column) {
    this.order = ` ORDER BY ${mysql.escapeId(String(column))}`;
    return this;
  }

  toString() {
    const where = this.filters.length ? ` WHERE ${this.filters.join(' AND ')}` : '';
    return `SELECT * FROM ${this.table}${where}${this.order}`;
  }
}

const server = restify.createServer({ name: 'crm' });
server.use(restify.plugins.queryParser());
server.use(restify.plugins.bodyParser({ mapParams: false }));

server.get('/contacts', async (req, res) => {
  const query = new Query('contacts').orderBy(req.query.sort || 'name');
  const [rows] = await pool.query(query.toString());
  res.send(rows);
});

server.get('/contacts/company', async (req, res) => {
  const query = new Query('contacts')
    .where('deleted = 0')
    .where(`company = '${req.query.company}'`);
  const [rows] = await pool.query(query.toString());
  res.send(rows);
});

server.get('/contacts/city', async (req, res) => {
  const city = mysql.escape(String(req.query.city));
  const [rows] = await pool.query(`SELECT id, name FROM contacts WHERE city = ${city}`);
  res.send(rows);
});

server.get('/contacts/phone', async (req, res) => {
  const phone = String(req.query.phone).replace("'", "''");
  const [rows] = await pool.query(`SELECT id, name FROM contacts WHERE phone = '${phone}'`);
  res.send(rows);
});

server.post('/contacts', async (req, res) => {
  const { name, company, city } = req.body;
  const [result] = await pool.execute(
    'INSERT INTO contacts (name, company, city) VALUES (?, ?, ?)',
    [String(name), String(company), String(city)],
  );
  res.send(201, { id: result.insertId });
});

server.del('/contacts/:id', async (req, res) => {
  const id = req.params.id;
  if (Number.isNaN(parseInt(id, 10))) {
    res.send(400, { error: 'id' });
    return;
  }
  await pool.query('DELETE FROM contacts WHERE id = ' + id);
  res.send(204);
});

server.listen(8077);

const restify = require('restify');
const errors = require('restify-errors');
const mysql = require('mysql2/promise');

const db = mysql.createPool({ uri: process.env.PLOUGH_DB, connectionLimit: 5 });

class PloughRepository {
  constructor(pool) {
    this.pool = pool;
  }

  async byDistrict(district, sort) {
    const [rows] = await this.pool.query(
      'SELECT id, driver, salt FROM ploughs WHERE district = ? ORDER BY ??',
      [String(district), String(sort)]
    );
    return rows;
  }

  async trips(plough, since) {
    const id = parseInt(plough, 10);
    const sql = 'SELECT * FROM trips WHERE plough_id = ' + id + " AND started > '" + since + "'";
    const [rows] = await this.pool.query(sql);
    return rows;
  }

  async usage(plough) {
    const id = parseInt(plough, 10);
    const [rows] = await this.pool.query('SELECT SUM(salt) AS salt FROM trips WHERE plough_id = ' + id);
    return rows[0];
  }

  async nearest(lat, lon, unit) {
    const factor = unit === 'mi' ? 3959 : 6371;
    const [rows] = await this.pool.execute(
      `SELECT id, ${factor} * great_circle(lat, lon, ?, ?) AS distance FROM ploughs ORDER BY distance LIMIT 5`,
      [lat, lon]
    );
    return rows;
  }

  async report(fields, week) {
    const columns = fields.split(',').map((f) => f.trim()).filter(Boolean);
    const [rows] = await this.pool.execute(
      `SELECT ${columns.join(', ')} FROM weekly WHERE week = ?`,
      [week]
    );
    return rows;
  }
}

const repo = new PloughRepository(db);
const server = restify.createServer({ name: 'ploughs' });
server.use(restify.plugins.queryParser());

const reply = (fn) => async (req, res) => {
  try {
    res.json(await fn(req));
  } catch (err) {
    req.log.error(err);
    throw new errors.InternalServerError('query failed');
  }
};

server.get('/districts/:name/ploughs', reply((req) => repo.byDistrict(req.params.name, req.query.sort || 'id')));
server.get('/ploughs/:id/trips', reply((req) => repo.trips(req.params.id, req.query.since)));
server.get('/ploughs/:id/usage', reply((req) => repo.usage(req.params.id)));
server.get('/nearest', reply((req) => repo.nearest(Number(req.query.lat), Number(req.query.lon), req.query.unit)));
server.get('/weekly', reply((req) => repo.report(req.query.fields || 'plough_id,salt', req.query.week)));

server.listen(8085);

import pg from 'pg';

const pool = new pg.Pool({ max: 2 });
const COLUMNS = ['region', 'status', 'owner_id', 'amount', 'closed_at'];

function parseBody(event) {
  const raw = event.isBase64Encoded
    ? Buffer.from(event.body, 'base64').toString('utf8')
    : event.body;
  return JSON.parse(raw ?? '{}');
}

function numbered(values, start = 1) {
  return values.map((_, i) => `$${i + start}`).join(', ');
}

function buildFilter(criteria) {
  const clauses = [];
  const params = [];
  for (const [field, value] of Object.entries(criteria)) {
    params.push(value);
    clauses.push(`${field} = $${params.length}`);
  }
  return { text: clauses.length ? `WHERE ${clauses.join(' AND ')}` : '', params };
}

async function queryLines(event) {
  const { filter = {} } = parseBody(event);
  const where = buildFilter(filter);
  const { rows } = await pool.query(
    `SELECT id, region, status, amount FROM report_lines ${where.text} LIMIT 500`,
    where.params,
  );
  return rows;
}

async function fetchBatch(event) {
  const { ids } = parseBody(event);
  const text = `SELECT * FROM report_lines WHERE id IN (${numbered(ids)})`;
  const { rows } = await pool.query(text, ids);
  return rows;
}

async function projection(event) {
  const wanted = (event.multiValueQueryStringParameters?.column ?? []).filter((c) => COLUMNS.includes(c));
  const selected = wanted.length > 0 ? wanted : COLUMNS;
  const { rows } = await pool.query(`SELECT ${selected.join(', ')} FROM report_lines LIMIT 100`);
  return rows;
}

async function timeline(event) {
  const { from = '1970-01-01', bucket = 'day' } = event.queryStringParameters ?? {};
  const { rows } = await pool.query({
    text: `SELECT date_trunc('${bucket}', closed_at) AS slot, SUM(amount) AS total
           FROM report_lines WHERE closed_at >= $1 GROUP BY 1 ORDER BY 1`,
    values: [from],
  });
  return rows;
}

async function recent(event) {
  const [column, order] = (event.queryStringParameters?.sort ?? 'closed_at:desc').split(':');
  const suffix = order === 'asc' ? 'ASC' : 'DESC';
  const { rows } = await pool.query(`SELECT * FROM report_lines ORDER BY ${column} ${suffix} LIMIT 20`);
  return rows;
}

const routes = {
  'POST /reports/query': queryLines,
  'POST /reports/batch': fetchBatch,
  'GET /reports/projection': projection,
  'GET /reports/timeline': timeline,
  'GET /reports/recent': recent,
};

export const handler = async (event) => {
  const route = routes[`${event.httpMethod} ${event.resource}`];
  if (!route) return { statusCode: 404, body: '' };
  try {
    return { statusCode: 200, body: JSON.stringify(await route(event)) };
  } catch (err) {
    console.error(err);
    return { statusCode: 500, body: JSON.stringify({ error: 'internal' }) };
  }
};

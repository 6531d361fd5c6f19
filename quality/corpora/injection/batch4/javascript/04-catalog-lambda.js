const { format } = require('node:util');
const mysql = require('mysql2/promise');

let pending;

function connection() {
  pending ??= mysql.createConnection(process.env.MYSQL_URL);
  return pending;
}

function decodeCursor(token) {
  if (!token) {
    return { after: 0, size: 25 };
  }
  return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
}

function respond(body) {
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

exports.list = async (event) => {
  const params = event.queryStringParameters ?? {};
  const { after, size } = decodeCursor(params.cursor);
  const db = await connection();
  const [rows] = await db.query(
    `SELECT id, sku, title FROM products WHERE id > ${after} ORDER BY id LIMIT ${Number(size)}`,
  );
  const last = rows.at(-1);
  const next = last && Buffer.from(JSON.stringify({ after: last.id, size })).toString('base64url');
  return respond({ rows, next });
};

exports.lookup = async (event) => {
  const skus = event.queryStringParameters.skus.split(',');
  const marks = Array(skus.length).fill('?').join(',');
  const db = await connection();
  const [rows] = await db.execute(`SELECT id, sku, price FROM products WHERE sku IN (${marks})`, skus);
  return respond(rows);
};

exports.histogram = async (event) => {
  const bucket = mysql.escapeId(String(event.queryStringParameters.groupBy));
  const db = await connection();
  const sql = `SELECT ${bucket} AS bucket, COUNT(*) AS n FROM products GROUP BY ${bucket}`;
  const [rows] = await db.query(sql);
  return respond(rows);
};

exports.rename = async (event) => {
  const { title } = JSON.parse(event.body);
  const sql = format("UPDATE products SET title = '%s' WHERE id = %d", title, event.pathParameters.id);
  const db = await connection();
  const [result] = await db.query(sql);
  return respond({ changed: result.affectedRows });
};

exports.ingest = async (event) => {
  const db = await connection();
  const failures = [];
  for (const { body, messageId } of event.Records) {
    const { feed, payload } = JSON.parse(body);
    const table = mysql.escape(feed).slice(1, -1);
    try {
      await db.query(`INSERT INTO \`feed_${table}\` (payload) VALUES (?)`, [JSON.stringify(payload)]);
    } catch {
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
};

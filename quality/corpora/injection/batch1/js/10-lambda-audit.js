const { Client } = require('pg');

const client = new Client({ connectionString: process.env.DATABASE_URL });
let ready;

function clone(value) {
  return JSON.parse(JSON.stringify(value));
}

exports.handler = async (event) => {
  ready = ready || client.connect();
  await ready;

  const copy = clone(event.queryStringParameters || {});
  const actor = copy.actor || 'system';

  const result = await client.query(
    "SELECT at, action FROM audit WHERE actor = '" + actor + "' ORDER BY at DESC"
  );

  await client.query('INSERT INTO audit_reads(meta) VALUES ($1)', [JSON.stringify(copy)]);

  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(result.rows),
  };
};

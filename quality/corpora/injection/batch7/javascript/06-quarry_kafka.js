'use strict';

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const { Kafka } = require('kafkajs');
const { Client } = require('pg');
const format = require('pg-format');

const kafka = new Kafka({ clientId: 'quarry', brokers: (process.env.BROKERS || 'localhost:9092').split(',') });
const consumer = kafka.consumer({ groupId: 'blasts' });
const db = new Client();
const SEISMO = '/data/seismograms';

const handlers = {
  async blast(event) {
    const sql = format(
      'INSERT INTO blasts (bench, charge_kg, foreman) VALUES (%L, %L, %L)',
      event.bench,
      event.charge,
      event.foreman
    );
    await db.query(sql);
  },

  async correction(event) {
    const sql = format('UPDATE blasts SET %I = %s WHERE id = %L', event.field, event.value, event.id);
    await db.query(sql);
  },

  async weighing(event) {
    const tons = Number(event.tons);
    if (!Number.isFinite(tons)) return;
    await db.query(`UPDATE piles SET tons = tons + ${tons} WHERE id = $1`, [event.pile]);
  },

  async summary(event) {
    const where = Object.keys(event.filter || {})
      .map((key) => `${key} = '${String(event.filter[key]).replace("'", "''")}'`)
      .join(' AND ');
    const result = await db.query(`SELECT count(*) FROM blasts WHERE ${where || 'true'}`);
    console.log('blasts', result.rows[0].count);
  },
};

function storeTrace(headers, body) {
  const digest = crypto.createHash('md5').update(body).digest('hex');
  fs.writeFileSync(path.join(SEISMO, digest + '.mseed'), body);

  const label = headers.label ? headers.label.toString() : digest;
  fs.symlinkSync(path.join(SEISMO, digest + '.mseed'), path.join(SEISMO, 'by-label', label));
}

async function main() {
  await db.connect();
  await consumer.connect();
  await consumer.subscribe({ topics: ['quarry.events', 'quarry.traces'] });
  await consumer.run({
    eachMessage: async ({ topic, message }) => {
      if (topic === 'quarry.traces') {
        storeTrace(message.headers || {}, message.value);
        return;
      }
      const event = JSON.parse(message.value.toString());
      const handler = Object.hasOwn(handlers, event.type) ? handlers[event.type] : null;
      if (handler) await handler(event);
    },
  });
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});

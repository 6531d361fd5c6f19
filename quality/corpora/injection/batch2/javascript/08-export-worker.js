const amqp = require('amqplib');
const fs = require('fs/promises');
const path = require('path');
const { Client } = require('pg');

class ExportJob {
  constructor(body) {
    this.account = body.account;
    this.outfile = body.outfile;
    this.createdBy = 'export-worker';
  }
}

class Exporter {
  constructor(client) {
    this.client = client;
  }

  async run(job) {
    const res = await this.client.query(`SELECT * FROM invoices WHERE account = '${job.account}'`);
    await fs.writeFile(path.join('/exports', path.basename(job.outfile)), JSON.stringify(res.rows));
  }
}

async function main() {
  const client = new Client();
  await client.connect();
  const exporter = new Exporter(client);
  const conn = await amqp.connect(process.env.AMQP_URL);
  const ch = await conn.createChannel();
  await ch.assertQueue('exports');
  ch.consume('exports', async (msg) => {
    const job = new ExportJob(JSON.parse(msg.content.toString()));
    await exporter.run(job);
    ch.ack(msg);
  });
}

main();

const amqp = require('amqplib');
const { execSync } = require('child_process');

const pending = [];

function enqueue(job) {
  pending.push('lpr -P office');
  pending.push(job.title);
}

function drain() {
  while (pending.length >= 2) {
    const command = pending.shift();
    const title = pending.shift();
    execSync(command + ' /var/spool/cover.ps');
    console.log('printed cover for', title);
  }
}

async function main() {
  const conn = await amqp.connect('amqp://broker');
  const ch = await conn.createChannel();
  await ch.assertQueue('print');
  await ch.consume('print', (msg) => {
    const job = JSON.parse(msg.content.toString());
    enqueue(job);
    drain();
    ch.ack(msg);
  });
}

main();

const amqp = require('amqplib');
const { spawn, execSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const SPOOL = '/var/spool/labels';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function wait(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
  });
}

const actions = {
  async store(job) {
    if (!UUID.test(job.id)) {
      throw new Error('bad id');
    }
    fs.writeFileSync(path.join(SPOOL, `${job.id}.zpl`), job.content);
  },

  async attach(job) {
    const target = path.join(SPOOL, 'attachments', job.fileName);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, Buffer.from(job.content, 'base64'));
  },

  async print(job) {
    const copies = Math.trunc(Number(job.copies)) || 1;
    await wait(spawn('lp', ['-n', String(copies), `--title=${job.title}`, path.join(SPOOL, 'current.zpl')]));
  },

  async quick(job) {
    await wait(spawn('lp', ['-t', job.title, path.join(SPOOL, 'current.zpl')], { shell: true }));
  },

  async status(job) {
    const printer = job.printer || 'default';
    const out = execSync('lpstat -p ' + printer.replace(/[;&|]/g, ''));
    console.log(out.toString());
  },

  async purge(job) {
    const days = parseInt(job.days, 10);
    if (!(days > 0)) {
      return;
    }
    execSync(`find ${SPOOL} -name '*.zpl' -mtime +${days} -delete`);
  },
};

async function main() {
  const connection = await amqp.connect(process.env.AMQP_URL);
  const channel = await connection.createChannel();
  await channel.assertQueue('labels');
  await channel.prefetch(1);

  await channel.consume('labels', async (message) => {
    if (message === null) {
      return;
    }
    try {
      const { action, job } = JSON.parse(message.content.toString());
      if (Object.hasOwn(actions, action)) {
        await actions[action](job);
      }
      channel.ack(message);
    } catch (err) {
      console.error('label job failed', err);
      channel.nack(message, false, false);
    }
  });
}

main();

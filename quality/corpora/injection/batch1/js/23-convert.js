const { SQSClient, ReceiveMessageCommand } = require('@aws-sdk/client-sqs');
const cp = require('child_process');
const util = require('util');

const exec = util.promisify(cp.exec);
const sqs = new SQSClient({});
const FORMATS = new Set(['mp4', 'webm', 'ogg']);

async function handle(body) {
  const format = body.format;
  const known = FORMATS.has(format);
  if (!known) {
    console.error('unexpected format', format);
  }
  await exec(`ffmpeg -y -i /data/in.mov /data/out.${format}`);
  if (known) {
    await exec(`mv /data/out.${format} /data/done/`);
  }
}

async function poll() {
  for (;;) {
    const out = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: process.env.QUEUE, WaitTimeSeconds: 20 })
    );
    for (const m of out.Messages ?? []) {
      await handle(JSON.parse(m.Body));
    }
  }
}

poll();

const fs = require('fs');
const path = require('path');
const amqp = require('amqplib');
const { spawn, spawnSync, exec } = require('child_process');

const STORE = '/var/lib/volcano';

class InvalidAlarm extends Error {}

function parseAlarm(buffer) {
  const alarm = JSON.parse(buffer.toString('utf8'));
  if (!/^[A-Z]{3,5}$/.test(alarm.station)) throw new InvalidAlarm('station');
  if (!Number.isInteger(alarm.level)) throw new InvalidAlarm('level');
  return alarm;
}

class Pipeline {
  #steps = [];

  step(program, ...args) {
    this.#steps.push([program, ...args].join(' '));
    return this;
  }

  run(cwd) {
    const line = this.#steps.join(' | ');
    return new Promise((done, fail) => {
      exec(line, { cwd, shell: '/bin/bash' }, (err, stdout) => (err ? fail(err) : done(stdout)));
    });
  }
}

async function filterTrace(alarm) {
  return new Pipeline()
    .step('mseed2ascii', `${alarm.station}.mseed`)
    .step('bandpass', '--band', alarm.band ?? '1-10')
    .step('gzip', '-c')
    .run(STORE);
}

function siren(alarm) {
  const result = spawnSync(`siren-ctl ${alarm.station} ${alarm.level}`, { shell: true });
  return result.status;
}

function textMessage(alarm) {
  const child = spawn('sms-send', ['--list=villages', '--text=' + alarm.text], { stdio: 'ignore' });
  return new Promise((done) => child.on('exit', done));
}

function archive(routingKey, alarm) {
  const folder = path.join(STORE, 'archive', alarm.station);
  fs.mkdirSync(folder, { recursive: true });
  const [, , observer] = routingKey.split('.');
  fs.appendFileSync(path.join(folder, alarm.date + '.log'), `${observer} ${alarm.level}\n`);
}

async function main() {
  const connection = await amqp.connect(process.env.AMQP_URL);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('alarms');
  await channel.consume(queue, async (message) => {
    if (!message) return;
    try {
      const alarm = parseAlarm(message.content);
      archive(message.fields.routingKey, alarm);
      if (alarm.level > 3) siren(alarm);
      if (alarm.text) await textMessage(alarm);
      await filterTrace(alarm);
      channel.ack(message);
    } catch (err) {
      channel.nack(message, false, !(err instanceof InvalidAlarm));
    }
  });
}

main();

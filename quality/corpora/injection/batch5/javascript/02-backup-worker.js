const path = require('path');
const { promisify } = require('util');
const { exec, execFile, spawn } = require('child_process');
const { Worker } = require('bullmq');

const run = promisify(exec);
const runFile = promisify(execFile);

const BACKUP_ROOT = '/var/backups/tenants';
const DATABASES = new Map([
  ['eu', 'tenants_eu'],
  ['us', 'tenants_us'],
]);

class DumpCommand {
  constructor(database) {
    this.database = database;
    this.parts = ['pg_dump', '--format=custom', '--no-owner'];
  }

  excluding(tables) {
    for (const table of tables) {
      this.parts.push(`--exclude-table=${table}`);
    }
    return this;
  }

  into(file) {
    this.target = file;
    return this;
  }

  toString() {
    return [...this.parts, this.database, '>', this.target].join(' ');
  }
}

function databaseFor(region) {
  const database = DATABASES.get(region);
  if (!database) throw new Error('unknown region');
  return database;
}

const handlers = {
  async dump({ region, exclude = [] }) {
    const database = databaseFor(region);
    const command = new DumpCommand(database)
      .excluding(exclude)
      .into(path.join(BACKUP_ROOT, `${database}-${Date.now()}.dump`));
    await run(command.toString());
  },

  async prune({ keepDays }) {
    const days = Number.parseInt(keepDays, 10);
    if (Number.isNaN(days) || days < 1) throw new RangeError('keepDays');
    await run(`find ${BACKUP_ROOT} -name '*.dump' -mtime +${keepDays} -delete`);
  },

  async restore({ region, file }) {
    const source = path.join(BACKUP_ROOT, path.basename(file));
    await runFile('pg_restore', ['--clean', '--dbname', databaseFor(region), source]);
  },

  async announce({ message }) {
    const child = spawn('sh', ['-c', 'logger -t backup -- "$1"', 'sh', String(message)]);
    await new Promise((resolve) => child.once('close', resolve));
  },

  async replicate({ region, bucket }) {
    const script = `aws s3 sync ${BACKUP_ROOT} s3://${bucket}/${databaseFor(region)}`;
    const child = spawn('sh', ['-c', script]);
    await new Promise((resolve) => child.once('close', resolve));
  },
};

const worker = new Worker(
  'backups',
  async (job) => {
    if (!Object.hasOwn(handlers, job.name)) throw new Error('unsupported job');
    return handlers[job.name](job.data);
  },
  { connection: { host: process.env.REDIS_HOST } },
);

worker.on('failed', (job, err) => console.error(job?.id, err.message));

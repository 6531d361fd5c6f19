import { randomUUID } from 'node:crypto';
import { Worker } from 'bullmq';
import { execa } from 'execa';
import IORedis from 'ioredis';

const connection = new IORedis(process.env.REDIS_URL, { maxRetriesPerRequest: null });

const WORKSPACES = new Map([
  ['web', '/srv/git/web'],
  ['api', '/srv/git/api'],
  ['infra', '/srv/git/infra'],
]);

function workspace(name) {
  const cwd = WORKSPACES.get(name);
  if (!cwd) {
    throw new Error(`unknown workspace ${name}`);
  }
  return cwd;
}

async function bundle({ repo, files }) {
  const output = `/var/bundles/${randomUUID()}.tgz`;
  const args = ['-czf', output];
  for (const file of files) {
    args.push(file);
  }
  await execa('tar', args, { cwd: workspace(repo) });
  return output;
}

async function marker({ repo, message }) {
  const cwd = workspace(repo);
  const { stdout } = await execa('git', ['commit', '--allow-empty', `--message=${message}`], { cwd });
  return stdout;
}

async function recent({ repo, count }) {
  const max = Math.trunc(Number(count)) || 20;
  const { stdout } = await execa('git', ['log', '--oneline', `-n${max}`], { cwd: workspace(repo) });
  return stdout.split('\n');
}

async function uptime({ hosts }) {
  const results = await Promise.allSettled(
    hosts.map((host) => execa('ssh', [host, 'uptime'], { timeout: 10_000 })),
  );
  return results.map((r, i) => [hosts[i], r.status === 'fulfilled' ? r.value.stdout : null]);
}

async function mirror({ manifest }) {
  const { source, bandwidth } = JSON.parse(manifest);
  const limit = Number(bandwidth) > 0 ? ` --bwlimit=${Number(bandwidth)}` : '';
  const command = `rsync -a${limit} ${source} /srv/mirror/`;
  await execa(command, { shell: true });
}

const tasks = { bundle, marker, recent, uptime, mirror };

const worker = new Worker('repo-tasks', async (job) => {
  if (!Object.hasOwn(tasks, job.name)) {
    throw new Error(`no task ${job.name}`);
  }
  return tasks[job.name](job.data);
}, { connection, concurrency: 4 });

worker.on('failed', (job, err) => console.error(job?.id, err.message));

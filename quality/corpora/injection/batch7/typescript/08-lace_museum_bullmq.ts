import { createHash } from 'node:crypto';
import { exec, execFile, spawnSync, ExecException } from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Job, Worker } from 'bullmq';

interface ScanJob {
  kind: 'scan';
  sheet: string;
  dpi: number;
}
interface StitchJob {
  kind: 'stitch';
  tiles: string[];
  blend: string;
}
interface PublishJob {
  kind: 'publish';
  source: string;
  collection: string;
}
interface CleanJob {
  kind: 'clean';
  collection: string;
}
type LaceJob = ScanJob | StitchJob | PublishJob | CleanJob;

const WORK = '/var/lace/work';
const PUBLIC = '/var/lace/public';

const shell = (line: string, cwd = WORK) =>
  new Promise<string>((resolve, reject) => {
    exec(line, { cwd, timeout: 60_000 }, (error: ExecException | null, stdout: string) => {
      if (error) reject(error);
      else resolve(stdout);
    });
  });

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

async function scan(job: ScanJob): Promise<string> {
  const dpi = Math.min(1200, Math.max(75, Number(job.dpi) || 300));
  const file = join(WORK, `${digest(job.sheet)}.tiff`);
  await shell(`scanimage --resolution ${dpi} --format=tiff > ${file}`);
  await writeFile(file.replace('.tiff', '.txt'), job.sheet);
  return file;
}

async function stitch(job: StitchJob): Promise<string> {
  const inputs = job.tiles.map((t) => `${digest(t)}.tiff`).join(' ');
  return shell(`enblend --fine-mask --blend-colorspace=${job.blend} -o joined.tiff ${inputs}`);
}

async function publish(job: PublishJob): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    execFile('cwebp', ['-metadata', 'none', '-o', join(WORK, 'out.webp'), '--', `${digest(job.source)}.tiff`], { cwd: WORK }, (e) => (e ? reject(e) : resolve()));
  });
  await rename(join(WORK, 'out.webp'), join(PUBLIC, job.collection, `${digest(job.source)}.webp`));
}

async function clean(job: CleanJob): Promise<number> {
  const collection = job.collection.replace(/^\.\.\//, '');
  await rm(join(PUBLIC, collection), { recursive: true, force: true });
  return spawnSync('sync', ['--file-system', PUBLIC]).status ?? 1;
}

async function process(job: Job<LaceJob>): Promise<unknown> {
  const data = job.data;
  switch (data.kind) {
    case 'scan':
      return scan(data);
    case 'stitch':
      return stitch(data);
    case 'publish':
      return publish(data);
    case 'clean':
      return clean(data);
    default: {
      const unknown: never = data;
      throw new Error(`unknown job ${JSON.stringify(unknown)}`);
    }
  }
}

export const worker = new Worker<LaceJob>('lace', process, { connection: { host: 'redis' } });

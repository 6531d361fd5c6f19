import { Job, Worker } from 'bullmq';
import { execFileSync, execSync } from 'child_process';
import * as fs from 'fs';
import * as path from 'path';
import AdmZip from 'adm-zip';

interface PackData {
  folder: string;
  comment: string;
}

interface UnpackData {
  archive: string;
  only?: string;
}

const IN = '/srv/archive/in';
const OUT = '/srv/archive/out';

const shq = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;

class ArchiveJobs {
  pack(data: PackData): string {
    const target = path.join(OUT, `${Date.now()}.zip`);
    execSync(`cd ${IN} && zip -q -r ${target} -- ${shq(data.folder)}`);
    execSync(`echo "${data.comment}" | zip -z ${target}`);
    return target;
  }

  unpack(data: UnpackData): string[] {
    const archive = path.join(IN, path.basename(data.archive));
    const zip = new AdmZip(fs.readFileSync(archive));
    const written: string[] = [];
    for (const entry of zip.getEntries()) {
      if (entry.isDirectory || (data.only && !entry.entryName.startsWith(data.only))) {
        continue;
      }
      const target = path.join(OUT, entry.entryName);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, entry.getData());
      written.push(target);
    }
    return written;
  }

  list(data: UnpackData): string[] {
    const archive = path.join(IN, path.basename(data.archive));
    const text = execFileSync('tar', ['-tzf', archive, '--', data.only ?? '.']).toString();
    return text.trim().split('\n');
  }

  single(data: UnpackData): Buffer {
    const archive = path.join(IN, path.basename(data.archive));
    return execFileSync('tar', ['-xzOf', archive, data.only ?? 'README']);
  }
}

const jobs = new ArchiveJobs();

const worker = new Worker(
  'archive',
  async (job: Job) => {
    switch (job.name) {
      case 'pack':
        return jobs.pack(job.data as PackData);
      case 'unpack':
        return jobs.unpack(job.data as UnpackData);
      case 'list':
        return jobs.list(job.data as UnpackData);
      case 'single':
        return jobs.single(job.data as UnpackData).toString('utf8');
      default:
        throw new Error(`unknown job ${job.name}`);
    }
  },
  { connection: { host: 'redis', port: 6379 } },
);

worker.on('failed', (job, err) => console.error(job?.id, err.message));

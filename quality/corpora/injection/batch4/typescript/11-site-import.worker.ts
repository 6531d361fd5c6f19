import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Worker, type Job } from 'bullmq';
import unzipper, { type File as ZipEntry } from 'unzipper';

const INBOX = '/srv/inbox';
const SITES = '/srv/sites';

interface ImportData {
  siteId: number;
  uploadId: number;
}

abstract class Importer {
  constructor(protected readonly dest: string) {}

  abstract place(entry: ZipEntry): Promise<void>;

  async run(entries: ZipEntry[]): Promise<number> {
    const files = entries.filter((entry) => entry.type === 'File');
    for (const entry of files) {
      await this.place(entry);
    }
    return files.length;
  }
}

class PageImporter extends Importer {
  async place(entry: ZipEntry): Promise<void> {
    const target = path.join(this.dest, entry.path);
    if (!target.startsWith(this.dest)) {
      throw new Error(`unexpected entry ${entry.path}`);
    }
    await pipeline(entry.stream(), createWriteStream(target));
  }
}

class MediaImporter extends Importer {
  async place(entry: ZipEntry): Promise<void> {
    const root = path.resolve(this.dest);
    const target = path.resolve(root, entry.path);
    if (!target.startsWith(root + path.sep)) {
      throw new Error(`unexpected entry ${entry.path}`);
    }
    await pipeline(entry.stream(), createWriteStream(target));
  }
}

class ThemeImporter extends Importer {
  async place(entry: ZipEntry): Promise<void> {
    const [, ...rest] = entry.path.split('/');
    const target = [this.dest, ...rest].join('/');
    await pipeline(entry.stream(), createWriteStream(target));
  }
}

function importerFor(name: string, siteId: number): Importer {
  const dest = path.join(SITES, String(siteId));
  switch (name) {
    case 'media':
      return new MediaImporter(dest);
    case 'theme':
      return new ThemeImporter(dest);
    default:
      return new PageImporter(dest);
  }
}

export const worker = new Worker<ImportData, number>('site-import', async (job: Job<ImportData>) => {
  const siteId = Math.trunc(Number(job.data.siteId));
  const archive = path.join(INBOX, `${Math.trunc(Number(job.data.uploadId))}.zip`);
  const directory = await unzipper.Open.file(archive);
  return importerFor(job.name, siteId).run(directory.files);
}, { connection: { host: 'redis' } });

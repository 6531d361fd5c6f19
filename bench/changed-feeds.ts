import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip, gzipSync } from 'node:zlib';
import { splitRecords } from '../src/feeds/nvd/split-records.ts';

const MODIFIED = 'nvdcve-2.0-modified';
const MAX_RECORD_BYTES = 32 * 1024 * 1024;

interface NvdRecord {
  cve: { lastModified: string; descriptions: { value: string }[] };
}

/**
 * The feeds as they are two hours later: all files are links to those of `feeds`, but for the NVD's file of the changes of eight days, in
 * which `count` records have another text and time. Returns the folder.
 */
export async function makeChangedFeeds(feeds: string, folder: string, count: number): Promise<string> {
  const link = (from: string, to: string, names: readonly string[]): void => {
    for (const name of names) symlinkSync(join(from, name), join(to, name));
  };
  link(
    feeds,
    folder,
    readdirSync(feeds).filter((name) => name !== 'nvd'),
  );
  const [from, to] = [join(feeds, 'nvd'), join(folder, 'nvd')];
  mkdirSync(to);
  link(
    from,
    to,
    readdirSync(from).filter((name) => !name.startsWith(MODIFIED)),
  );
  const content = await changedContent(join(from, `${MODIFIED}.json.gz`), count);
  const sha256 = createHash('sha256').update(content).digest('hex').toUpperCase();
  writeFileSync(join(to, `${MODIFIED}.json.gz`), gzipSync(content, { level: 1 }));
  writeFileSync(join(to, `${MODIFIED}.meta`), `size:${content.length}\r\nsha256:${sha256}\r\n`);
  return folder;
}

async function changedContent(file: string, count: number): Promise<Buffer> {
  const records: string[] = [];
  let head: Record<string, unknown> = {};
  for await (const parts of splitRecords(createReadStream(file).pipe(createGunzip()), MAX_RECORD_BYTES)) {
    for (const { kind, json: bytes } of parts) {
      const json = String(bytes);
      if (kind === 'head') head = JSON.parse(json);
      else records.push(records.length < count ? changed(json) : json);
    }
  }
  if (records.length < count) throw new Error(`${file} has ${records.length} records, fewer than ${count}`);
  const empty = JSON.stringify({ ...head, vulnerabilities: [] });
  return Buffer.from(empty.replace('"vulnerabilities":[]', () => `"vulnerabilities":[${records.join(',')}]`));
}

function changed(json: string): string {
  const record = JSON.parse(json) as NvdRecord;
  record.cve.lastModified = new Date(Date.parse(`${record.cve.lastModified}Z`) + 7_200_000).toISOString().slice(0, -1);
  record.cve.descriptions[0]!.value += ' (Changed since.)';
  return JSON.stringify(record);
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { type TarPart, tarOf } from '../feeds/tar-of.ts';
import { temporaryFolder } from './command-line.ts';

type Layer = readonly TarPart[];

/** An archive as `docker save` made it: a folder for each layer, and manifest.json at its end. */
export function savedImage(...layers: readonly Layer[]): Buffer {
  const names = layers.map((_, index) => `${String(index).repeat(8)}/layer.tar`);
  const manifest = [{ Config: 'config.json', RepoTags: ['app:latest'], Layers: names }];
  return tarOf([
    // Not in the order of the layers: that is in the manifest alone.
    ...layers.map((parts, index) => ({ name: names[index]!, content: tarOf(parts) })).toReversed(),
    { name: 'config.json', content: '{}' },
    { name: 'manifest.json', content: JSON.stringify(manifest) },
  ]);
}

/** An OCI image layout with layers packed with gzip, below an index for several platforms, with an attestation beside the image. */
export function ociImage(...layers: readonly Layer[]): Buffer {
  const blobs: TarPart[] = [];
  const store = (content: Buffer, mediaType: string) => {
    const hash = createHash('sha256').update(content).digest('hex');
    blobs.push({ name: `blobs/sha256/${hash}`, content });
    return { mediaType, digest: `sha256:${hash}`, size: content.length };
  };
  const storeJson = (value: object, mediaType: string) => store(Buffer.from(JSON.stringify(value)), mediaType);
  const manifestOf = (parts: object[]) =>
    storeJson({ schemaVersion: 2, layers: parts }, 'application/vnd.oci.image.manifest.v1+json');
  const image = manifestOf(
    layers.map((parts) => store(gzipSync(tarOf(parts)), 'application/vnd.oci.image.layer.v1.tar+gzip')),
  );
  const attestation = manifestOf([storeJson({}, 'application/vnd.in-toto+json')]);
  const index = storeJson({ manifests: [image, attestation] }, 'application/vnd.oci.image.index.v1+json');
  return tarOf([
    { name: 'oci-layout', content: '{"imageLayoutVersion":"1.0.0"}' },
    { name: 'index.json', content: JSON.stringify({ schemaVersion: 2, manifests: [index] }) },
    ...blobs,
  ]);
}

export function osRelease(id: string, version: string): TarPart {
  return { name: 'etc/os-release', content: `PRETTY_NAME="x"\nID=${id}\nVERSION_ID="${version}"\n` };
}

/** dpkg's list of packages: `name version`, or `name version source`. */
export function dpkgStatus(...packages: readonly string[]): string {
  return packages
    .map((text) => {
      const [name, version, source] = text.split('|');
      return `Package: ${name}\nStatus: install ok installed\n${source === undefined ? '' : `Source: ${source}\n`}Version: ${version}\nDescription: a package\n with a line that goes on: Package: none\n`;
    })
    .join('\n');
}

const TAGS = { name: 1000, version: 1001, release: 1002, epoch: 1003, description: 1005, source: 1044 };

/** A header as RPM stores it: counts, an index of tag, type, offset and count, and the data. */
function rpmHeader(values: { name: string; version: string; release: string; epoch?: number; source: string }): Buffer {
  const { epoch, ...texts } = values;
  // Longer than a page of the database.
  const all = { ...texts, description: 'd'.repeat(9000) };
  const index: Buffer[] = [];
  const data: Buffer[] = [];
  let length = 0;
  const add = (tag: number, type: number, content: Buffer): void => {
    const entry = Buffer.alloc(16);
    for (const [at, value] of [tag, type, length, 1].entries()) entry.writeUInt32BE(value, at * 4);
    index.push(entry);
    data.push(content);
    length += content.length;
  };
  if (epoch !== undefined) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(epoch);
    add(TAGS.epoch, 4, number);
  }
  for (const [name, text] of Object.entries(all)) add(TAGS[name as keyof typeof TAGS], 6, Buffer.from(`${text}\0`));
  const counts = Buffer.alloc(8);
  counts.writeUInt32BE(index.length, 0);
  counts.writeUInt32BE(length, 4);
  return Buffer.concat([counts, ...index, ...data]);
}

/** RPM's database in SQLite with `count` packages `part-1`, ... of the source `parts`. */
export function rpmDatabase(count: number): Buffer {
  const path = join(temporaryFolder(), 'rpmdb.sqlite');
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE 'Packages' (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL)");
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const insert = database.prepare('INSERT INTO Packages (blob) VALUES (?)');
  insert.run(rpmHeader({ name: 'gpg-pubkey', version: '1', release: '1', source: '' }));
  for (let n = 1; n <= count; n++) {
    const source = 'parts-2.0-3.el9.src.rpm';
    insert.run(
      rpmHeader({ name: `part-${n}`, version: '2.0', release: '3.el9', source, ...(n === 1 && { epoch: 1 }) }),
    );
  }
  database.exec('COMMIT');
  database.close();
  return readFileSync(path);
}

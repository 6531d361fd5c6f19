import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { exportBundle, importBundle } from '../../src/catalog/bundle.ts';
import { BundleError, type BundleManifest, encodeBundleHeader } from '../../src/catalog/bundle-header.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { createFeedUpstreams } from '../../src/catalog/create-feed-upstreams.ts';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { tryLockCatalog } from '../../src/catalog/catalog-lock.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { syncCatalog } from '../../src/catalog/sync.ts';
import { SyncBusyError } from '../../src/catalog/sync/sync-errors.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { kevFeedFolder, temporaryFolder } from '../cli/command-line.ts';

const NEW = 'CVE-2024-11111';
const OLD = 'CVE-2023-22222';
const now = new Date('2024-03-01T00:00:00Z');

let exporting: string;
let importing: string;
let bundle: string;
let bytes: Buffer;

before(async () => {
  exporting = await catalogWith([NEW]);
  importing = await catalogWith([OLD]);
  bundle = join(temporaryFolder(), 'catalog.sextant');
  await exportBundle({ folder: exporting, file: bundle });
  bytes = readFileSync(bundle);
});

describe('an exported bundle', () => {
  it('is three lines of text, a checksum, and the database in zstd', () => {
    const lines = bytes.toString('latin1').split('\n').slice(0, 4);
    const header = bytes.indexOf(lines[3]!) + lines[3]!.length + 1;
    const manifest = JSON.parse(lines[1]!);
    const database = readFileSync(join(exporting, readCurrentGeneration(exporting)!.file));
    assert.equal(lines[0], 'sextant-catalog 1');
    assert.equal(lines[2], 'unsigned');
    assert.equal(lines[3], `sha256 ${sha256(bytes.subarray(0, header - lines[3]!.length - 1))}`);
    assert.equal(manifest.payload_sha256, sha256(bytes.subarray(header)));
    assert.equal(manifest.database_sha256, sha256(database));
    assert.equal(manifest.database_bytes, database.length);
    assert.equal(manifest.sources.kev.records, 1);
    assert.deepEqual(zstdDecompressSync(bytes.subarray(header)), database);
  });

  it('has the same bytes each time', async () => {
    const again = join(temporaryFolder(), 'again');
    await exportBundle({ folder: exporting, file: again });
    assert.deepEqual(readFileSync(again), bytes);
  });

  it('is null where there is no catalog', async () => {
    const file = join(temporaryFolder(), 'none');
    assert.equal(await exportBundle({ folder: temporaryFolder(), file }), null);
    assert.equal(existsSync(file), false);
  });

  it('is not made of a damaged catalog', async () => {
    const folder = copyOf(exporting);
    const database = join(folder, readCurrentGeneration(folder)!.file);
    const content = readFileSync(database);
    // In a record: damage to the tables' own definitions is found when the file is opened.
    content[content.lastIndexOf('CVE-')]! ^= 1;
    writeFileSync(database, content);
    const target = temporaryFolder();
    // Where the byte belongs to the schema, SQLite notices first.
    await assert.rejects(exportBundle({ folder, file: join(target, 'x') }), /its checksum is wrong|malformed/);
    assert.deepEqual(readdirSync(target), []);
  });

  it('leaves nothing behind when stopped', async () => {
    const folder = temporaryFolder();
    await assert.rejects(exportBundle({ folder: exporting, file: join(folder, 'x'), signal: AbortSignal.abort() }));
    assert.deepEqual(readdirSync(folder), []);
  });
});

describe('an imported bundle', () => {
  it('answers in place of the old catalog, as old as its data', async () => {
    const folder = copyOf(importing);
    const { generation, replaced } = await importBundle({ folder, file: bundle, now });
    const source = readCurrentGeneration(exporting)!;
    assert.deepEqual(readCurrentGeneration(folder), generation);
    assert.equal(replaced?.file, readCurrentGeneration(importing)!.file);
    assert.equal(generation.created_at, source.created_at);
    assert.deepEqual(generation.sources, { kev: { ...source.sources.kev, from_origin: false } });
    assert.deepEqual(knownIn(folder), [NEW]);
  });

  it('makes the first catalog of an empty folder', async () => {
    const folder = temporaryFolder();
    await importBundle({ folder, file: bundle, now });
    assert.deepEqual(knownIn(folder), [NEW]);
  });

  it('repairs a damaged pointer', async () => {
    const folder = copyOf(importing);
    writeFileSync(join(folder, 'current.json'), '{');
    await importBundle({ folder, file: bundle, now });
    assert.deepEqual(knownIn(folder), [NEW]);
  });

  it('waits for nobody: another writer of the folder makes it busy', async () => {
    const folder = copyOf(importing);
    const lock = tryLockCatalog(folder)!;
    await assert.rejects(importBundle({ folder, file: bundle, now }), SyncBusyError);
    lock.release();
    assert.deepEqual(knownIn(folder), [OLD]);
  });

  it('changes nothing when stopped', async () => {
    const folder = copyOf(importing);
    await assert.rejects(importBundle({ folder, file: bundle, now, signal: AbortSignal.abort() }));
    assertUntouched(folder);
  });
});

describe('a bundle is refused, and the old catalog goes on answering,', () => {
  const refused = async (content: Uint8Array, reason: RegExp, publicKey = null as null | typeof keys.publicKey) => {
    const file = join(temporaryFolder(), 'bundle');
    writeFileSync(file, content);
    const attempt = importBundle({ folder: importing, file, publicKey, now });
    await assert.rejects(attempt, (error: Error) => {
      assert.ok(error instanceof BundleError, String(error.stack));
      assert.match(error.message, reason);
      return true;
    });
    assertUntouched(importing);
  };

  /** As `refused`, and at no moment was more than so many bytes of it on the disk. */
  const refusedEarly = async (content: Uint8Array, reason: RegExp, atMost: number): Promise<void> => {
    let largest = 0;
    const measure = (): void => {
      for (const name of readdirSync(importing).filter((one) => one.endsWith('.tmp'))) {
        largest = Math.max(largest, statSync(join(importing, name), { throwIfNoEntry: false })?.size ?? 0);
      }
    };
    const watching = setInterval(measure, 1);
    try {
      await refused(content, reason);
    } finally {
      clearInterval(watching);
    }
    assert.ok(largest <= atMost, `${largest} bytes were written`);
  };

  it('cut off anywhere', async () => {
    const header = headerLength(bytes);
    for (const length of [
      1,
      10,
      18,
      100,
      header - 1,
      header,
      header + 1,
      Math.floor(bytes.length / 2),
      bytes.length - 1,
    ]) {
      await refused(bytes.subarray(0, length), /damaged/);
    }
  });

  it('with any byte altered', async () => {
    const step = Math.ceil(bytes.length / 300);
    for (let at = 0; at < bytes.length; at += step) {
      const altered = Buffer.from(bytes);
      altered[at]! ^= 0x01;
      // The schema is looked at before all else: a digit of it is not told from another version.
      await refused(altered, at < 18 ? /not a Sextant catalog bundle/ : /damaged|has catalog schema \d/);
    }
  });

  it('with something after its end', () => refused(Buffer.concat([bytes, Buffer.from('x')]), /damaged/));

  it('when it is something else', async () => {
    await refused(Buffer.alloc(0), /damaged|not a Sextant/);
    await refused(randomBytes(5000), /not a Sextant catalog bundle/);
    await refused(Buffer.from('sextant-catalog 2\n{}\n'), /not a Sextant catalog bundle of a version known here/);
  });

  it('when it says less of its size than it unpacks to', async () => {
    await refused(bundleOf(Buffer.alloc(1_000_000), { database_bytes: 1000 }), /more than its manifest says/);
  });

  it('when it is a bomb: refused before or as soon as it is unpacked, and never written out', async () => {
    const [small, chunk] = [64 * 1024 * 1024, 1024 * 1024];
    const zeros = bundleOf(Buffer.alloc(small));
    await refused(zeros, /far more than a catalog of its size/);
    await refused(bundleOf(Buffer.alloc(chunk), { database_bytes: 2 ** 40 }), /larger than any catalog/);
    // Large enough to be packed as a catalog is, but without a catalog's first bytes.
    const noise = Buffer.concat([randomBytes(2 * chunk), Buffer.alloc(small)]);
    await refusedEarly(bundleOf(noise), /cannot be opened/, chunk);
    // With them, but of another size than they say.
    const database = databaseOf(createTables);
    const grown = Buffer.concat([database, randomBytes(2 * chunk), Buffer.alloc(small)]);
    await refusedEarly(bundleOf(grown), /cannot be opened/, chunk);
    // As large as it says, and more.
    await refusedEarly(bundleOf(grown, { database_bytes: database.length }), /more than its manifest says/, chunk);
  });

  it('when unpacking it would take a window of more than 128 MB', async () => {
    const database = databaseOf(createTables);
    await refused(bundleOf(database, {}, null, storedFrame(database, 28)), /cannot be unpacked/);
    const file = join(temporaryFolder(), 'bundle');
    writeFileSync(file, bundleOf(database, {}, null, storedFrame(database, 27)));
    await importBundle({ folder: temporaryFolder(), file, now });
  });

  it('when it holds another database than it says', async () => {
    await refused(
      bundleOf(databaseOf(createTables), { database_sha256: '0'.repeat(64) }),
      /not the one of its manifest/,
    );
  });

  it('of another schema', async () => {
    await refused(bundleOf(databaseOf(createTables), { schema_version: 999 }), /schema 999, this version reads/);
    const labelled = databaseOf((db) => {
      createTables(db);
      db.exec('PRAGMA user_version = 998');
    });
    await refused(bundleOf(labelled), /schema 998, this version reads/);
  });

  it('when its database is none, is damaged, or has tables or triggers of its own', async () => {
    await refused(bundleOf(randomBytes(8192)), /cannot be opened/);
    const torn = readFileSync(join(exporting, readCurrentGeneration(exporting)!.file));
    torn.fill(0xff, 4096 * 3, 4096 * 6);
    await refused(bundleOf(torn), /damaged|cannot be opened/);
    const trapped = databaseOf((db) => {
      createTables(db);
      db.exec('CREATE TRIGGER trap AFTER INSERT ON kev BEGIN DELETE FROM kev; END');
    });
    await refused(bundleOf(trapped), /other tables/);
  });

  const keys = generateKeyPairSync('ed25519');

  it('unsigned, or signed by somebody else, where a key is asked for', async () => {
    const signed = join(temporaryFolder(), 'signed');
    await exportBundle({ folder: exporting, file: signed, privateKey: keys.privateKey });
    await refused(bytes, /not signed/, keys.publicKey);
    await refused(readFileSync(signed), /not signed with this key/, generateKeyPairSync('ed25519').publicKey);
    const folder = temporaryFolder();
    await importBundle({ folder, file: signed, publicKey: keys.publicKey, now });
    assert.deepEqual(knownIn(folder), [NEW]);
    await importBundle({ folder, file: signed, now });
  });

  it('when somebody changed it and made its checksums right again', async () => {
    const database = databaseOf(createTables);
    const genuine = bundleOf(database, {}, keys.privateKey).toString('latin1').split('\n');
    const forged = bundleOf(database, { created_at: '2030-01-01T00:00:00Z' }).toString('latin1').split('\n');
    const signed = `${forged[0]}\n${forged[1]}\n${genuine[2]}\n`;
    const content = `${signed}sha256 ${sha256(Buffer.from(signed, 'latin1'))}\n${forged.slice(4).join('\n')}`;
    await refused(Buffer.from(content, 'latin1'), /not signed with this key/, keys.publicKey);
  });
});

async function catalogWith(cveIds: string[]): Promise<string> {
  const folder = temporaryFolder();
  const feeds = `${pathToFileURL(kevFeedFolder(cveIds)).href}/`;
  const feed = kevFeed as unknown as Feed;
  const upstreams = createFeedUpstreams(feed, { feeds, sourceUrls: new Map(), githubToken: null });
  await syncCatalog({ folder, feeds: [{ feed, upstreams: () => upstreams }], now: () => now, report: () => {} });
  return folder;
}

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function knownIn(folder: string): string[] {
  const catalog = new Catalog(folder, readCurrentGeneration(folder)!);
  const known = [OLD, NEW].filter((id) => catalog.kev(id) !== null);
  catalog.close();
  return known;
}

function assertUntouched(folder: string): void {
  assert.deepEqual(knownIn(folder), [OLD]);
  const databases = readdirSync(folder).filter((name) => name.endsWith('.db'));
  assert.deepEqual(databases, [readCurrentGeneration(folder)!.file]);
  assert.ok(statSync(join(folder, databases[0]!)).size > 0);
}

/** A bundle with right checksums of any content, as somebody could make one by hand. */
function bundleOf(
  database: Buffer,
  told: Partial<BundleManifest> = {},
  privateKey = null as Parameters<typeof encodeBundleHeader>[1],
  payload = zstdCompressSync(database),
): Buffer {
  const manifest = {
    schema_version: JSON.parse(bytes.toString('latin1').split('\n')[1]!).schema_version,
    created_at: '2024-01-01T00:00:00Z',
    sources: {},
    database_bytes: database.length,
    database_sha256: sha256(database),
    payload_sha256: sha256(payload),
    ...told,
  };
  return Buffer.concat([encodeBundleHeader(manifest, privateKey), payload]);
}

/** A zstd frame of blocks that are not compressed, which asks for a window of 2 ** `windowLog` bytes (RFC 8878, 3.1.1). */
function storedFrame(content: Buffer, windowLog: number): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3])];
  const most = 128 * 1024;
  for (let at = 0; at < content.length; at += most) {
    const block = content.subarray(at, at + most);
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (at + most >= content.length ? 1 : 0), 0, 3);
    parts.push(header, block);
  }
  return Buffer.concat(parts);
}

function databaseOf(fill: (db: DatabaseSync) => void): Buffer {
  const path = join(temporaryFolder(), 'x.db');
  const db = new DatabaseSync(path);
  fill(db);
  db.close();
  return readFileSync(path);
}

function headerLength(bundle: Buffer): number {
  const lines = bundle.toString('latin1').split('\n').slice(0, 4);
  return lines.join('\n').length + 1;
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

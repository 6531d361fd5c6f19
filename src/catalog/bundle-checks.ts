/** Checks of the database in a bundle, before, while and after it is unpacked. All throw `BundleError`. */

import { DatabaseSync } from 'node:sqlite';
import { BundleError, type BundleManifest, damagedBundleError } from './bundle-header.ts';
import { Catalog } from './catalog.ts';
import { parseDatabaseHeader } from './database-file.ts';
import type { Generation } from './generation.ts';
import { createTables, passesQuickCheck, SCHEMA_VERSION, readSchemaVersion } from './schema.ts';

/** A catalog of all feeds has 0.5 GB. It is compressed to a quarter of its size, an empty catalog to 1/40. */
const MAX_DATABASE_BYTES = 16 * 1024 ** 3;
const SMALL_DATABASE_BYTES = 16 * 1024 ** 2;
const MAX_COMPRESSION_RATIO = 50;

/** Refuses sizes that no catalog has, before anything is unpacked. */
export function verifyBundleSizes({ database_bytes }: BundleManifest, packed: number): void {
  if (database_bytes > MAX_DATABASE_BYTES) throw new BundleError('the database in it is larger than any catalog');
  if (database_bytes > SMALL_DATABASE_BYTES && database_bytes > packed * MAX_COMPRESSION_RATIO) {
    throw new BundleError('it would unpack to far more than a catalog of its size does');
  }
}

/** Stops when more bytes come than the manifest says. */
export function byteLimitTransform(bytes: number): (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array> {
  return async function* (source) {
    let passed = 0;
    for await (const chunk of source) {
      passed += chunk.length;
      if (passed > bytes) throw damagedBundleError('it unpacks to more than its manifest says');
      yield chunk;
    }
  };
}

/** Checks at the first bytes that this is a catalog database of this size and schema version. */
export function headerCheckTransform(bytes: number): (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array> {
  return async function* (source) {
    let isFirst = true;
    for await (const chunk of source) {
      if (isFirst) {
        const header = parseDatabaseHeader(chunk);
        if (header === null || header.size !== bytes) throw damagedBundleError('the database in it cannot be opened');
        if (header.schema !== SCHEMA_VERSION) throw schemaMismatchError(header.schema);
      }
      isFirst = false;
      yield chunk;
    }
  };
}

/**
 * Checks that the database is undamaged and has exactly the tables of this schema version: a view or a trigger could run code
 * when it is read.
 */
export function verifyBundleDatabase(path: string): void {
  try {
    using db = new DatabaseSync(path, { readOnly: true });
    db.exec('PRAGMA trusted_schema = OFF');
    if (readSchemaVersion(db) !== SCHEMA_VERSION) throw schemaMismatchError(readSchemaVersion(db));
    using empty = new DatabaseSync(':memory:');
    createTables(empty);
    if (schemaDefinition(db) !== schemaDefinition(empty))
      throw new BundleError('the database in it has other tables than a catalog');
    if (!passesQuickCheck(db)) throw new BundleError('the database in it is damaged');
  } catch (error) {
    throw error instanceof BundleError
      ? error
      : new BundleError(`the database in it cannot be opened (${(error as Error).message})`);
  }
}

function schemaDefinition(db: DatabaseSync): string {
  return JSON.stringify(db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all());
}

/** The last check: the finished file can be opened as a catalog. */
export function verifyCatalogOpens(folder: string, generation: Generation): void {
  try {
    new Catalog(folder, generation).close();
  } catch (error) {
    throw new BundleError(`the catalog in it cannot be opened (${(error as Error).message})`);
  }
}

export function schemaMismatchError(version: number): BundleError {
  return new BundleError(
    `the bundle has catalog schema ${version}, this version reads ${SCHEMA_VERSION}: export it again with the version that runs here`,
  );
}

import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EntryByKind, EntryKind } from '../feeds/entries.ts';
import { readStarterCatalog } from '../feeds/starter-catalog.ts';
import { packageFileUrl } from '../program-files.ts';
import { buildIndex } from './build-index.ts';
import {
  finishDatabase,
  createDatabaseName,
  publishGeneration,
  unfinishedPath,
  readUsableGeneration,
} from './generation.ts';
import { carryHistory } from './history/carry-history.ts';
import { tryLockCatalog } from './catalog-lock.ts';
import { recoverGeneration } from './recover-generation.ts';
import { createTables } from './schema.ts';
import { startLoad } from './start-load.ts';
import { emptyFeedState } from './sync/feed-state.ts';

const STARTER_FILE = fileURLToPath(packageFileUrl('starter/catalog.json'));

const MAX_WAIT_FOR_OTHER_PROCESS_MS = 3000;
const POLL_INTERVAL_MS = 50;

/** Another process is creating the first generation, which takes a fraction of a second unless it is a complete sync. */
async function waitForCatalog(folder: string): Promise<void> {
  const until = performance.now() + MAX_WAIT_FOR_OTHER_PROCESS_MS;
  while (readUsableGeneration(folder) === null && performance.now() < until) await setTimeout(POLL_INTERVAL_MS);
}

/**
 * Makes sure that there is a usable generation: the current one, else the newest undamaged one, else one made from the starter
 * catalog of the program. It takes a fraction of a second, and longer if the current file must be read whole to verify it.
 * Throws errors of the operating system before anything is changed.
 */
export async function recoverOrCreateCatalog(catalogFolder: string, now: Date): Promise<void> {
  mkdirSync(catalogFolder, { recursive: true });
  if (readUsableGeneration(catalogFolder) !== null) return;
  const lock = tryLockCatalog(catalogFolder);
  if (lock === null) return waitForCatalog(catalogFolder);
  try {
    const { generation, problem } = recoverGeneration(catalogFolder);
    if (generation !== null) return;
    const starter = await readStarterCatalog(STARTER_FILE);
    const file = createDatabaseName(catalogFolder, now);
    const db = new DatabaseSync(unfinishedPath(catalogFolder, file));
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    createTables(db);
    carryHistory(catalogFolder, db, now);
    db.exec('BEGIN');
    const { model_version, score_date } = starter.epss;
    const load = <K extends EntryKind>(kind: K, entries: EntryByKind[K][], time: string | null = null) => {
      const loader = startLoad(db, kind);
      loader.put(entries);
      loader.finish?.(time, { model_version, partial: 'starter' });
    };
    load('cve', starter.cves);
    load('kev', starter.kev);
    load('epss', starter.epss.scores, score_date);
    load('exploit', starter.exploits);
    load('weakness', starter.cwes);
    buildIndex(db);
    db.exec('COMMIT');
    db.close();
    finishDatabase(catalogFolder, file);
    publishGeneration(catalogFolder, {
      file,
      created_at: now.toISOString(),
      ...(problem !== null && { recovered: `${problem}: only the starter catalog answers` }),
      sources: {
        starter: {
          ...emptyFeedState(),
          records: starter.cves.length,
          data_time: starter.as_of,
          last_success_at: now.toISOString(),
          last_attempt_at: now.toISOString(),
          notes: { model_version, score_date },
        },
      },
    });
  } finally {
    lock.release();
  }
}

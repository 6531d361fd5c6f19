import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readStarterCatalog } from '../feeds/starter-catalog.ts';
import { buildIndex } from './build-index.ts';
import {
  finishDatabase,
  newDatabaseName,
  publishGeneration,
  unfinishedPath,
  readUsableGeneration,
} from './generation.ts';
import { tryLockCatalog } from './catalog-lock.ts';
import { recoverGeneration } from './recover-generation.ts';
import { createTables } from './schema.ts';
import { startLoad } from './start-load.ts';

const STARTER_FILE = fileURLToPath(new URL('../../starter/catalog.json', import.meta.url));

const MAX_WAIT_FOR_OTHER_PROCESS_MS = 3000;
const POLL_INTERVAL_MS = 50;

/** Another process that starts just now is making the first generation: a fraction of a second, unless it is a whole sync. */
async function waitForCatalog(folder: string): Promise<void> {
  const until = performance.now() + MAX_WAIT_FOR_OTHER_PROCESS_MS;
  while (readUsableGeneration(folder) === null && performance.now() < until) await setTimeout(POLL_INTERVAL_MS);
}

/**
 * Sees to it that a catalog answers: the current one; else the newest that is whole; else one made of the starter that comes with the program.
 * Takes a fraction of a second, and as long as reading the current file takes where nobody has checked it since it changed.
 * Throws where the folder or the file cannot be looked at: then nothing was changed.
 */
export async function ensureCatalog(folder: string, now: Date): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (readUsableGeneration(folder) !== null) return;
  const lock = tryLockCatalog(folder);
  if (lock === null) return waitForCatalog(folder);
  try {
    const { generation, problem } = recoverGeneration(folder);
    if (generation !== null) return;
    const starter = await readStarterCatalog(STARTER_FILE);
    const file = newDatabaseName(folder, now);
    const db = new DatabaseSync(unfinishedPath(folder, file));
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    createTables(db);
    db.exec('BEGIN');
    const fill = <K extends Parameters<typeof startLoad>[1]>(
      kind: K,
      entries: Parameters<ReturnType<typeof startLoad<K>>['put']>[0],
      time: string | null = null,
    ) => {
      const store = startLoad(db, kind);
      store.put(entries);
      store.finish(time);
    };
    fill('cve', starter.cves);
    fill('kev', starter.kev);
    fill('epss', starter.epss.scores, starter.epss.score_date);
    fill('exploit', starter.exploits);
    fill('weakness', starter.cwes);
    buildIndex(db);
    db.exec('COMMIT');
    db.close();
    finishDatabase(folder, file);
    publishGeneration(folder, {
      file,
      created_at: now.toISOString(),
      ...(problem !== null && { recovered: `${problem}: only the starter catalog answers` }),
      sources: {
        starter: {
          records: starter.cves.length,
          data_time: starter.as_of,
          last_success_at: now.toISOString(),
          last_attempt_at: now.toISOString(),
          last_error: null,
          from_origin: false,
          skipped: 0,
          missing_files: [],
          notes: { model_version: starter.epss.model_version, score_date: starter.epss.score_date },
          files: {},
        },
      },
    });
  } finally {
    lock.release();
  }
}

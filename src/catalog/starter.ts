import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readStarter } from '../feeds/starter.ts';
import { buildIndex } from './build-index.ts';
import { finishDatabase, newDatabaseName, publish, unfinishedPath, usableGeneration } from './generation.ts';
import { lockCatalog } from './lock.ts';
import { recoverGeneration } from './recovery.ts';
import { createTables } from './schema.ts';
import { openStore } from './stores.ts';

const STARTER = fileURLToPath(new URL('../../starter/catalog.json', import.meta.url));

const WAIT_FOR_OTHERS_MS = 3000;
const LOOK_EVERY_MS = 50;

/** Another process that starts just now is making the first generation: a fraction of a second, unless it is a whole sync. */
async function untilMade(folder: string): Promise<void> {
  const until = performance.now() + WAIT_FOR_OTHERS_MS;
  while (usableGeneration(folder) === null && performance.now() < until) await setTimeout(LOOK_EVERY_MS);
}

/**
 * Sees to it that a catalog answers: the current one; else the newest that is whole; else one made of the starter that comes with the program.
 * Takes a fraction of a second, and as long as reading the current file takes where nobody has checked it since it changed.
 * Throws where the folder or the file cannot be looked at: then nothing was changed.
 */
export async function ensureStarter(folder: string, now: Date): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (usableGeneration(folder) !== null) return;
  const lock = lockCatalog(folder);
  if (lock === null) return untilMade(folder);
  try {
    const { generation, problem } = recoverGeneration(folder);
    if (generation !== null) return;
    const starter = await readStarter(STARTER);
    const file = newDatabaseName(folder, now);
    const db = new DatabaseSync(unfinishedPath(folder, file));
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    createTables(db);
    db.exec('BEGIN');
    const fill = <K extends Parameters<typeof openStore>[1]>(
      kind: K,
      entries: Parameters<ReturnType<typeof openStore<K>>['put']>[0],
      time: string | null = null,
    ) => {
      const store = openStore(db, kind);
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
    publish(folder, {
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

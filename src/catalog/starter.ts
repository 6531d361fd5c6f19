import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readStarter } from '../feeds/starter.ts';
import { buildIndex } from './build-index.ts';
import { newDatabaseName, publish, usableGeneration } from './generation.ts';
import { lockCatalog } from './lock.ts';
import { createTables } from './schema.ts';
import { openStore } from './stores.ts';

const STARTER = fileURLToPath(new URL('../../starter/catalog.json', import.meta.url));

const WAIT_FOR_OTHERS_MS = 3000;
const LOOK_EVERY_MS = 50;

/** Another process that starts just now is making the first generation: a fraction of a second, unless it is a whole sync. */
async function untilMade(folder: string): Promise<void> {
  for (let waited = 0; waited < WAIT_FOR_OTHERS_MS && usableGeneration(folder) === null; waited += LOOK_EVERY_MS) {
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** Makes the first generation from the starter that comes with the program, where there is none yet. Takes a fraction of a second. */
export async function ensureStarter(folder: string, now: Date): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (usableGeneration(folder) !== null) return;
  const lock = lockCatalog(folder);
  if (lock === null) return untilMade(folder);
  try {
    if (usableGeneration(folder) !== null) return;
    const starter = await readStarter(STARTER);
    const file = newDatabaseName(now);
    const db = new DatabaseSync(join(folder, file));
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
    publish(folder, {
      file,
      created_at: now.toISOString(),
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

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { type Asked, compare, inSlices, pagesOf } from '../against-bare.ts';
import { freePort, projectFile, startProgram, stop } from '../child.ts';
import { type Aim, atLeast, type Figure, type Row, skipped } from '../figure.ts';
import { Load } from '../load.ts';
import { answers, drawCveIds, type Service, type Workbench } from '../workbench.ts';

const REPEATED_IDS = 5000;
/** More than any slot asks for, and far more than the service keeps answers of. */
const FRESH_IDS = 60_000;
const ROUNDS = 3;
const AIM = atLeast(12, 20);
/** The first that has FastAPI is taken: Debian's packages belong to its own Python. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const VERSIONS = 'import fastapi, uvicorn; print(f"FastAPI {fastapi.__version__}, uvicorn {uvicorn.__version__}")';
const FRESH = 'look-up against FastAPI + SQLite, each id once';
const WITHOUT = 'skipped: no fastapi';

/** How the route of the Python service runs; see there. */
type Form = 'threads' | 'loop';

/** Look-ups against a minimal FastAPI + SQLite service in one process that writes the same bytes, read by primary key. */
export const fastapi: Figure = {
  name: 'fastapi',
  async run(bench) {
    const python = await findPython();
    if (python === null)
      return [skipped('look-up against FastAPI + SQLite (needs python3-fastapi, python3-uvicorn)', WITHOUT)];
    const dataDir = await bench.full();
    bench.say(`look-ups against ${python.versions}`);
    const all = drawCveIds(dataDir).map((id) => `/v1/cve/${id}`);
    const repeated = all.slice(0, REPEATED_IDS);
    const service = await bench.serve(dataDir);
    const pages = await pagesOf(service.port, repeated);
    const load = new Load();
    const against = async (title: string, form: Form, aim: Aim | null, own: Asked): Promise<Row[]> => {
      const other = await servePython(bench, python.command, form, pages);
      const comparison = { title, aim, against: 'FastAPI' };
      const rows = await compare(comparison, [service, own], [other, () => repeated], load, bench.rounds(ROUNDS));
      await stop(other.child);
      return rows;
    };
    const again = `look-up against FastAPI + SQLite, ${repeated.length.toLocaleString('en')} ids again and again`;
    const rows = [
      ...(all.length < FRESH_IDS ? [skipped(FRESH)] : await against(FRESH, 'threads', null, inSlices(all, FRESH_IDS))),
      ...(await against(again, 'threads', AIM, () => repeated)),
      ...(await against(`${again}, its route in its event loop`, 'loop', null, () => repeated)),
    ];
    for (const { child } of [service, load]) await stop(child);
    return rows;
  },
};

async function findPython(): Promise<{ command: string; versions: string } | null> {
  for (const command of PYTHONS) {
    const found = await promisify(execFile)(command, ['-c', VERSIONS]).catch(() => null);
    if (found !== null) return { command, versions: found.stdout.trim() };
  }
  return null;
}

/** The Python service, with these bodies in a database of its own. */
async function servePython(
  bench: Workbench,
  command: string,
  form: Form,
  pages: readonly (readonly [path: string, body: string])[],
): Promise<Service> {
  const file = join(bench.folder(form), 'pages.db');
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE page (cve_id TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID; BEGIN');
  const insert = db.prepare('INSERT INTO page VALUES (?, ?)');
  for (const [path, body] of pages) insert.run(path.split('/').at(-1)!, Buffer.from(body));
  db.exec('COMMIT');
  db.close();
  const port = await freePort();
  const script = projectFile('children/fastapi_service.py');
  const child = startProgram(command, [script, file, String(port), form], { stdio: ['ignore', 'ignore', 'inherit'] });
  await answers(child, port, pages[0]![0]);
  return { child, port };
}

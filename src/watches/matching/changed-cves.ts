import { createHash } from 'node:crypto';
import { selectScored, selectSeverity } from '../../analysis/cve/select-severity.ts';
import type { WatchKey } from '../../analysis/watch/watch-keys.ts';
import type { ToldChange, WatchEvent } from '../../analysis/watch/watch.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import { assessPriority } from '../../operations/cve/lib/assess-priority.ts';
import type { ChangeRun } from './change-runs.ts';
import { keysOfChange, keysOfCve, NameKeys } from './keys-of-cve.ts';

/** Changes that are told as one event, if any. */
export interface ToldRun {
  seenAt: string;
  changes: readonly ToldChange[];
  /** Keys of the products that these changes added. */
  addedKeys: ReadonlySet<WatchKey>;
  /** Names these changes in ids of events. */
  digest: string;
}

/** A CVE that changed, with all by which watches of it are found. */
export interface ChangedCve {
  cveId: string;
  runs: ToldRun[];
  /** Keys of all that it names now. */
  keys: ReadonlySet<WatchKey>;
  /** These, and keys of what the changes name: products that are gone, packages whose fix changed. */
  allKeys: ReadonlySet<WatchKey>;
  current: Omit<NonNullable<WatchEvent['current']>, 'fixed_in'>;
  /** Of all products, where there is one. */
  fixedIn: string | null;
}

/** The CVEs of these runs, each once, as they are known now. */
export function readChangedCves(runs: readonly ChangeRun[], catalog: CatalogView, now: Date): ChangedCve[] {
  const names = new NameKeys(catalog);
  return [...Map.groupBy(runs, ({ cveId }) => cveId)].map(([cveId, ofCve]) => {
    const keys = keysOfCve(cveId, catalog, names);
    const allKeys = new Set(keys);
    const toldRuns = ofCve.map((run) => {
      const addedKeys = new Set<WatchKey>();
      for (const change of run.changes) {
        for (const key of keysOfChange(change, names)) {
          allKeys.add(key);
          if (change.kind === 'product' && change.change === 'added') addedKeys.add(key);
        }
      }
      const changes = run.changes.map(({ cve_id: _cve, seq: _seq, ...change }): ToldChange => change);
      return { seenAt: run.seenAt, changes, addedKeys, digest: digestOf(changes) };
    });
    return { cveId, runs: toldRuns, keys, allKeys, ...stateOf(cveId, catalog, now) };
  });
}

function stateOf(cveId: string, catalog: CatalogView, now: Date): Pick<ChangedCve, 'current' | 'fixedIn'> {
  const dossier = catalog.cve(cveId);
  const metrics = dossier?.record?.metrics ?? [];
  const [version, ...others] = dossier?.fix.versions ?? [];
  return {
    current: {
      severity: selectSeverity(metrics).severity,
      cvss: selectScored(metrics)?.base_score ?? null,
      kev: catalog.kevLoaded ? dossier?.kev != null : null,
      kev_due: dossier?.kev?.due_date ?? null,
      epss: dossier?.epss?.score ?? null,
      urgency: dossier === null ? null : assessPriority(dossier, catalog, now, undefined).action.urgency,
    },
    fixedIn: version === undefined || others.length > 0 ? null : version,
  };
}

/** The id of the event that tells one watch of one run. */
export function eventId(watchId: string, cveId: string, digest: string): string {
  return `evt_${createHash('sha256').update(`${watchId}\n${cveId}\n${digest}`).digest('hex').slice(0, 32)}`;
}

function digestOf(changes: readonly ToldChange[]): string {
  const named = changes.map(({ source, kind, field, before, after, seen_at }) =>
    JSON.stringify([source, kind, field, before, after, seen_at]),
  );
  return createHash('sha256').update(named.join('\n')).digest('hex');
}

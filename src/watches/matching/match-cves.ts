import { describeWhat, describeWhy, type WatchedDecision } from '../../analysis/watch/describe-event.ts';
import { type Concern, needsTold, selectToldChanges } from '../../analysis/watch/told-changes.ts';
import { keysOfComponent, watchKeys, type WatchKey } from '../../analysis/watch/watch-keys.ts';
import type { WatchedComponent, WatchEvent } from '../../analysis/watch/watch.ts';
import { displayLine } from '../../analysis/display-text.ts';
import { createEventLoopYielder } from '../../event-loop-yielder.ts';
import type { Watch } from '../../engine/watch-book.ts';
import { memoize } from '../../analysis/memoize.ts';
import type { MatchStore, WatchMatch } from '../store/watch-store.ts';
import { type ChangedCve, eventId, type ToldRun } from './changed-cves.ts';
import { type Judge, questionOf, questionOfComponent } from './judge.ts';
import type { FoundBySearch } from './searches.ts';
import { watchesWithKeys } from './watches-with-keys.ts';

/** As many keys, and pairs, as are given to the store at once. */
const MAX_KEYS = 1000;
const MAX_SHOWN_COMPONENTS = 100;
const MAX_NAME = 100;
/** Keys of components: watches of one installation have most packages in common. */
const MAX_KEPT_KEYS = 50_000;

/** One CVE that may concern one watch. */
interface Candidate {
  watch: Watch;
  cve: ChangedCve;
  concern: Omit<Concern, 'isNewlyNamed' | 'told'>;
  /** Affected ones first. */
  decisions: readonly WatchedDecision[];
  /** Keys by which it was found. */
  keys: readonly WatchKey[];
}

/** Finds the watches that changed CVEs concern, and makes their events: one for each run of changes. */
export class CveMatcher {
  readonly #store: MatchStore;
  readonly #replay: Watch | null;
  readonly #signal: AbortSignal;
  readonly #yieldToEventLoop = createEventLoopYielder();
  /** What a replay told. */
  readonly #replayed = new Map<string, Concern['told']>();

  /** `replay`: this watch alone is matched, whenever it was made, as if nothing had been told before. */
  constructor(store: MatchStore, signal: AbortSignal, replay: Watch | null) {
    this.#store = store;
    this.#signal = signal;
    this.#replay = replay;
  }

  async match(cves: readonly ChangedCve[], searches: FoundBySearch, judge: Judge): Promise<WatchMatch[]> {
    const byKey = new Map<WatchKey, ChangedCve[]>();
    for (const cve of cves) {
      for (const key of cve.allKeys) {
        const known = byKey.get(key);
        if (known === undefined) byKey.set(key, [cve]);
        else known.push(cve);
      }
    }
    const matches = new Map<string, { watch: Watch; events: WatchEvent[] }>();
    for await (const watches of this.#watchesOf([...byKey.keys()])) {
      const candidates: Candidate[] = [];
      for (const watch of watches) {
        this.#signal.throwIfAborted();
        await this.#yieldToEventLoop();
        candidates.push(...(await this.#candidatesOf(watch, byKey, judge)));
      }
      await this.#tell(candidates, matches);
    }
    await this.#tell(
      cves.flatMap((cve) => (searches.get(cve.cveId) ?? []).map((watch) => ofWhole(watch, cve, true, []))),
      matches,
    );
    return [...matches.values()];
  }

  /** Those that have one of these keys, each once. */
  async *#watchesOf(keys: readonly WatchKey[]): AsyncIterable<readonly Watch[]> {
    if (this.#replay !== null) {
      yield [this.#replay];
      return;
    }
    const seen = new Set<string>();
    for (let at = 0; at < keys.length; at += MAX_KEYS) {
      for await (const found of watchesWithKeys(this.#store, keys.slice(at, at + MAX_KEYS))) {
        const fresh = found.filter(({ id }) => !seen.has(id));
        for (const { id } of fresh) seen.add(id);
        yield fresh;
      }
    }
  }

  async #candidatesOf(watch: Watch, byKey: ReadonlyMap<WatchKey, ChangedCve[]>, judge: Judge): Promise<Candidate[]> {
    const { subject } = watch;
    if (subject.kind === 'search') return [];
    if (subject.kind === 'components') return this.#candidatesOfComponents(watch, subject.components, byKey, judge);
    const keys = watchKeys(subject);
    const cves = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))];
    const question = questionOf(subject);
    if (question === null || cves.length === 0)
      return cves.map((cve) => ofWhole(watch, cve, isNamedBy(cve, keys), keys));
    const decided = await judge.decide(
      question,
      cves.map(({ cveId }) => cveId),
    );
    return cves.map((cve) => {
      const decision = decided.get(cve.cveId)!;
      const status = question.version === null ? null : decision.status;
      const isNamed = decision.rule.kind !== 'none';
      const { name, version } = question;
      return { watch, cve, keys, concern: { status, isNamed }, decisions: [{ ...decision, name, version }] };
    });
  }

  async #candidatesOfComponents(
    watch: Watch,
    components: readonly WatchedComponent[],
    byKey: ReadonlyMap<WatchKey, ChangedCve[]>,
    judge: Judge,
  ): Promise<Candidate[]> {
    const found = new Map<ChangedCve, { decisions: WatchedDecision[]; keys: WatchKey[] }>();
    for (const component of components) {
      const keys = keysOf(component);
      if (!keys.some((key) => byKey.has(key))) continue;
      const cves = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))];
      const question = questionOfComponent(component);
      const decided = await judge.decide(
        question,
        cves.map(({ cveId }) => cveId),
      );
      for (const cve of cves) {
        const known = found.get(cve) ?? { decisions: [], keys: [] };
        found.set(cve, known);
        known.decisions.push({ ...decided.get(cve.cveId)!, name: question.name, version: question.version });
        known.keys.push(...keys);
      }
    }
    return Array.from(found, ([cve, { decisions, keys }]) => {
      const named = decisions.filter(({ rule }) => rule.kind !== 'none');
      const shown = (named.length > 0 ? named : decisions).toSorted((a, b) => rankOf(a) - rankOf(b));
      const status = shown.find(({ version }) => version !== null)?.status ?? null;
      return { watch, cve, keys, concern: { status, isNamed: named.length > 0 }, decisions: shown };
    });
  }

  /** Adds the events of these candidates. */
  async #tell(
    candidates: readonly Candidate[],
    matches: Map<string, { watch: Watch; events: WatchEvent[] }>,
  ): Promise<void> {
    const told = await this.#readTold(candidates);
    for (const candidate of candidates) {
      const events = eventsOf(candidate, told.get(pairOf(candidate)) ?? null, this.#replay !== null);
      if (events.length === 0) continue;
      const { watch, concern } = candidate;
      if (this.#replay !== null) this.#replayed.set(pairOf(candidate), { status: concern.status });
      const known = matches.get(watch.id);
      if (known === undefined) matches.set(watch.id, { watch, events });
      else known.events.push(...events);
    }
  }

  async #readTold(candidates: readonly Candidate[]): Promise<Map<string, Concern['told']>> {
    if (this.#replay !== null) return this.#replayed;
    const told = new Map<string, Concern['told']>();
    const asked = candidates.filter(({ watch, cve, concern, keys }) =>
      cve.runs.some((run) => needsTold(run.changes, watch.conditions, concernOf(concern, run, keys, null))),
    );
    for (let at = 0; at < asked.length; at += MAX_KEYS) {
      const pairs = asked.slice(at, at + MAX_KEYS).map(({ watch, cve }) => ({ watchId: watch.id, cveId: cve.cveId }));
      for (const { watchId, cveId, status } of await this.#store.lastTold(pairs))
        told.set(`${watchId} ${cveId}`, { status });
    }
    return told;
  }
}

/** The events of one CVE for one watch, in the order in which its changes were seen. */
function eventsOf(
  { watch, cve, concern, decisions, keys }: Candidate,
  before: Concern['told'],
  isReplay: boolean,
): WatchEvent[] {
  const events: WatchEvent[] = [];
  let told = before;
  for (const run of cve.runs) {
    // What was seen before the watch was made is no news for it; a replay tells it.
    if (!isReplay && Date.parse(run.seenAt) < watch.createdAt.getTime()) continue;
    const changes = selectToldChanges(run.changes, watch.conditions, cve.current, concernOf(concern, run, keys, told));
    if (changes.length === 0) continue;
    const wasTold = told !== null;
    told = { status: concern.status };
    const [first] = decisions;
    events.push({
      id: eventId(watch.id, cve.cveId, run.digest),
      watch_id: watch.id,
      seen_at: run.seenAt,
      about: { kind: 'cve', cve_id: cve.cveId },
      why: describeWhy(cve.cveId, watch.subject, decisions, wasTold),
      what: describeWhat(changes),
      status: concern.status,
      components:
        watch.subject.kind === 'components' ? decisions.slice(0, MAX_SHOWN_COMPONENTS).map(presentComponent) : [],
      changes,
      current: { ...cve.current, fixed_in: shown(first === undefined ? cve.fixedIn : first.fixed_in) },
    });
  }
  return events;
}

function concernOf(
  concern: Candidate['concern'],
  { addedKeys }: ToldRun,
  keys: readonly WatchKey[],
  told: Concern['told'],
): Concern {
  return { ...concern, isNewlyNamed: keys.some((key) => addedKeys.has(key)), told };
}

/** A watch without a version. */
function ofWhole(watch: Watch, cve: ChangedCve, isNamed: boolean, keys: readonly WatchKey[]): Candidate {
  return { watch, cve, keys, concern: { status: null, isNamed }, decisions: [] };
}

function isNamedBy({ keys }: ChangedCve, wanted: readonly WatchKey[]): boolean {
  return wanted.some((key) => keys.has(key));
}

function pairOf({ watch, cve }: Candidate): string {
  return `${watch.id} ${cve.cveId}`;
}

const RANKS = { affected: 0, unknown: 1, not_affected: 2 } as const;

function rankOf({ status }: WatchedDecision): number {
  return RANKS[status];
}

function presentComponent({ name, version, status, fixed_in }: WatchedDecision): WatchEvent['components'][number] {
  return { name: displayLine(name, MAX_NAME), version: shown(version), status, fixed_in: shown(fixed_in) };
}

function shown(text: string | null): string | null {
  return text === null ? null : displayLine(text, MAX_NAME);
}

const keysOfPurls = memoize((purl: string) => keysOfComponent({ purl, cpe: null, version: null }), MAX_KEPT_KEYS);
const keysOfCpes = memoize((cpe: string) => keysOfComponent({ purl: null, cpe, version: null }), MAX_KEPT_KEYS);

function keysOf({ purl, cpe }: WatchedComponent): readonly WatchKey[] {
  return purl !== null ? keysOfPurls(purl) : cpe === null ? [] : keysOfCpes(cpe);
}

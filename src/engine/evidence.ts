import { z } from 'zod';
import { ForeignText } from './foreign-text.ts';
import type { FeedState } from '../catalog/generation.ts';
import { dataAgeSeconds, feedDataTimeMs, isStale, isSyncedInFuture } from './feed-age.ts';
import type { SourceResult, SourcePolicy } from '../sources/source.ts';
import { summarizeList } from '../analysis/display-text.ts';
import { isoDay } from '../analysis/iso-time.ts';

/** On every look-up: the sources of the answer, the age of their data, and what is missing. */
export const Verdict = z
  .object({
    deterministic: z.boolean().meta({ description: 'The same question on the same data gives the same answer.' }),
    falsifiable_fields: z
      .array(z.string())
      .meta({ description: 'Fields that a reader can re-derive at the named source.' }),
    data_age_seconds: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Age of the oldest data used; null when every source was asked live.' }),
    sources_queried: z.array(z.string()),
    sources_unavailable: z.array(z.string()),
    completeness: z.enum(['complete', 'partial', 'minimal']),
    gaps: z.array(ForeignText).meta({ description: 'What is missing from this answer, and why, in plain words.' }),
  })
  .meta({ id: 'Verdict' });
export type Verdict = z.infer<typeof Verdict>;

/** Feeds that the starter catalog has data of. */
export const STARTER_FEEDS: ReadonlySet<string> = new Set([
  'nvd',
  'cvelist',
  'ghsa',
  'kev',
  'epss',
  'cwe',
  'exploitdb',
]);

const DAY_SECONDS = 86_400;

type Completeness = Verdict['completeness'];
const COMPLETENESS_RANK: Record<Completeness, number> = { complete: 0, partial: 1, minimal: 2 };

/** Parts of a feed that could not be loaded, as texts to follow "is not whole here:". */
export function describeMissingData({ missing_files, notes }: FeedState): string[] {
  return [
    ...(missing_files.length === 0 ? [] : [`${summarizeList(missing_files, 3)} could not be loaded`]),
    ...Object.entries(notes).flatMap(([name, text]) => (name.startsWith('missing') ? [`${text} are missing`] : [])),
  ];
}

/** What evidence says of a feed's data within one second of its age. */
interface FeedFinding {
  source: string;
  fromMs: number;
  untilMs: number;
  /** Null for a feed that was never loaded. */
  ageSeconds: number | null;
  /** Gaps of every answer that asks the feed. */
  gaps: readonly string[];
  /** A gap of answers that rest on the feed. */
  ageGap: string | null;
}

/** Records what an answer was made from. `verdict()` is the only place where a verdict is made. */
export class Evidence {
  readonly #states: Readonly<Record<string, FeedState>>;
  readonly #now: Date;
  readonly #used = new Set<string>();
  readonly #queried = new Set<string>();
  readonly #unavailable = new Set<string>();
  readonly #gaps = new Set<string>();
  readonly #replacedByStarter: string[] = [];
  #completeness: Completeness = 'complete';
  #dataAgeSeconds: number | null = null;
  #hasLiveAnswer = false;

  constructor(states: Readonly<Record<string, FeedState>>, now: Date) {
    this.#states = states;
    this.#now = now;
  }

  /** Records that the answer rests on a feed. A feed that was never loaded is unavailable, or replaced by the starter. */
  recordUsedFeed(source: string): void {
    if (this.#used.has(source)) return;
    this.#used.add(source);
    this.recordConsultedFeed(source);
    const { ageSeconds, ageGap } = findFeed(source, this.#states[source], this.#now);
    if (ageSeconds === null) return;
    this.#dataAgeSeconds = Math.max(this.#dataAgeSeconds ?? 0, ageSeconds);
    if (ageGap !== null) this.addGap(ageGap);
  }

  /** Records that a feed was asked and has nothing that the answer shows: its age does not count. */
  recordConsultedFeed(source: string): void {
    if (this.#queried.has(source) || this.#unavailable.has(source)) return;
    const { ageSeconds, gaps } = findFeed(source, this.#states[source], this.#now);
    if (ageSeconds !== null) {
      for (const gap of gaps) this.addGap(gap);
      this.#queried.add(source);
      return;
    }
    this.#unavailable.add(source);
    const starter = dataAgeSeconds(this.#states.starter, this.#now);
    if (starter === null || !STARTER_FEEDS.has(source)) {
      this.addGap(`${source} has not been synced yet`);
      return;
    }
    this.#queried.add('starter');
    this.#replacedByStarter.push(source);
    this.#dataAgeSeconds = Math.max(this.#dataAgeSeconds ?? 0, starter);
  }

  /** A source was asked over the network and answered, also if it has no entry. `ageSeconds` is that of a cached answer. */
  recordLiveAnswer(source: string, ageSeconds: number): void {
    this.#queried.add(source);
    this.#hasLiveAnswer = true;
    if (ageSeconds > 0) this.#dataAgeSeconds = Math.max(this.#dataAgeSeconds ?? 0, ageSeconds);
  }

  /** A source was asked, or should have been asked, and gave no usable answer. */
  recordUnavailable(source: string, why: string): void {
    this.#unavailable.add(source);
    this.addGap(`${source} ${why}`);
  }

  /** Records the result of asking a source. */
  recordOutcome({ id }: Pick<SourcePolicy, 'id'>, outcome: SourceResult<unknown>): void {
    if (outcome.status === 'ok') this.recordLiveAnswer(id, outcome.ageSeconds);
    else if (outcome.status === 'not_configured') this.recordUnavailable(id, 'has no key configured');
    else this.recordUnavailable(id, `did not answer: ${outcome.reason}`);
  }

  /** Something that a complete answer would have is missing. */
  addGap(text: string, atBest: Completeness = 'partial'): void {
    this.#gaps.add(text);
    if (COMPLETENESS_RANK[atBest] > COMPLETENESS_RANK[this.#completeness]) this.#completeness = atBest;
  }

  /** The day of a feed's data, or of the starter catalog that is used in its place; `as_of` null where neither is loaded. Records nothing. */
  dataOf(source: string): { as_of: string | null; is_old: boolean; is_starter: boolean } {
    const is_starter = dataAgeSeconds(this.#states[source], this.#now) === null && STARTER_FEEDS.has(source);
    const id = is_starter ? 'starter' : source;
    const timeMs = feedDataTimeMs(this.#states[id], this.#now);
    if (timeMs === null) return { as_of: null, is_old: false, is_starter: false };
    return { as_of: isoDay(timeMs), is_old: isStale(id, this.#states[id], this.#now), is_starter };
  }

  /** Empty evidence over the same sources, for one item of a list. */
  emptyCopy(): Evidence {
    return new Evidence(this.#states, this.#now);
  }

  verdict(falsifiable: readonly string[]): Verdict {
    if (this.#replacedByStarter.length > 0) {
      this.addGap(
        `not synced yet: ${this.#replacedByStarter.join(', ')}; the starter catalog, which has facts of a few well-known CVEs, is used instead`,
      );
    }
    return {
      deterministic: !this.#hasLiveAnswer,
      falsifiable_fields: [...falsifiable],
      data_age_seconds: this.#dataAgeSeconds,
      // A source that answered one question and failed at another counts as unavailable.
      sources_queried: [...this.#queried].filter((source) => !this.#unavailable.has(source)).sort(),
      sources_unavailable: [...this.#unavailable].sort(),
      completeness: this.#completeness,
      gaps: [...this.#gaps],
    };
  }
}

const NEVER_LOADED = { ageSeconds: null, gaps: [], ageGap: null };
/** The answers of one second share them. */
const findingByState = new WeakMap<FeedState, FeedFinding>();

function findFeed(
  source: string,
  state: FeedState | undefined,
  now: Date,
): Pick<FeedFinding, 'ageSeconds' | 'gaps' | 'ageGap'> {
  const dataTimeMs = feedDataTimeMs(state, now);
  if (state === undefined || dataTimeMs === null) return NEVER_LOADED;
  const nowMs = now.getTime();
  const known = findingByState.get(state);
  if (known !== undefined && known.source === source && nowMs >= known.fromMs && nowMs < known.untilMs) return known;
  const ageSeconds = dataAgeSeconds(state, now)!;
  const isAhead = isSyncedInFuture(state, now);
  const fromMs = dataTimeMs + ageSeconds * 1000;
  const finding = {
    source,
    fromMs,
    // Of a time in the future every moment is another one.
    untilMs: isAhead ? fromMs : fromMs + 1000,
    ageSeconds,
    gaps: describeMissingData(state).map((missing) => `${source} is not whole here: ${missing}`),
    ageGap: isAhead
      ? `${source} was synced by a clock that was ahead: the age of its data is not known`
      : isStale(source, state, now)
        ? `${source} is ${Math.floor(ageSeconds / DAY_SECONDS)} days old: what came since is not in it`
        : null,
  };
  findingByState.set(state, finding);
  return finding;
}

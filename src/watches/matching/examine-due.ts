import { createHash, randomInt } from 'node:crypto';
import {
  compareFacts,
  describeExamination,
  type ExaminedFacts,
  keepFacts,
} from '../../analysis/watch/compare-facts.ts';
import type { ToldChange, WatchEvent } from '../../analysis/watch/watch.ts';
import type { OperationInput } from '../../engine/operation.ts';
import type { Watch } from '../../engine/watch-book.ts';
import { ApiError } from '../../errors.ts';
import { factsOfAudit, factsOfIndicator, factsOfPosture } from './examined-facts.ts';
import type { MatchingDeps } from './matching-deps.ts';

/** Examinations at the same time: each asks some dozen sources. */
const CONCURRENCY = 4;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** So that watches that were made together are not always examined together. */
const MAX_JITTER_MS = HOUR_MS;

/** What an examination keeps for the next one. */
interface Snapshot {
  at: string;
  facts: ExaminedFacts;
}

/**
 * Examines domains and indicators that are due, and makes an event of what changed since the last time. The first examination only keeps what
 * it saw. What a source that failed would have said is not known: it is no change, and what was seen of it before stays. Gives the number of
 * watches.
 */
export async function examineDue(deps: MatchingDeps, signal: AbortSignal): Promise<number> {
  const due = await deps.store.claimExaminations(deps.now(), CONCURRENCY);
  await Promise.all(due.map(({ watch, snapshot }) => examine(watch, snapshot as Snapshot | null, deps, signal)));
  return due.length;
}

async function examine(watch: Watch, before: Snapshot | null, deps: MatchingDeps, signal: AbortSignal): Promise<void> {
  const facts = await lookAt(watch, deps);
  signal.throwIfAborted();
  const now = deps.now();
  const at = now.toISOString();
  const isSeen = Object.keys(facts).length > 0;
  const changes = before === null ? [] : compareFacts(before.facts, facts, at, watch.conditions.severity_min);
  await deps.store.commitExamination(watch.id, {
    snapshot: isSeen ? { at, facts: keepFacts(before?.facts ?? null, facts) } : before,
    // Nothing answered: it is tried again within the hour.
    nextAt: new Date(now.getTime() + (isSeen ? DAY_MS : HOUR_MS / 2) + randomInt(MAX_JITTER_MS)),
    events: before === null || changes.length === 0 ? [] : [eventOf(watch, changes, before, at)],
  });
}

/** What is known of the subject now; nothing where nobody answered. */
async function lookAt({ subject }: Watch, deps: MatchingDeps): Promise<ExaminedFacts> {
  if (subject.kind === 'indicator')
    return factsOf(factsOfIndicator, 'ioc_lookup', { indicator: subject.indicator }, deps);
  if (subject.kind !== 'domain') return {};
  const { domain } = subject;
  const [audit, posture] = await Promise.all([
    factsOf(factsOfAudit, 'audit_domain', { domain }, deps),
    factsOf(factsOfPosture, 'email_security_posture', { domain }, deps),
  ]);
  return { ...audit, ...posture };
}

async function factsOf<Answer>(
  read: (answer: Answer) => ExaminedFacts,
  operation: string,
  input: OperationInput,
  { ask }: MatchingDeps,
): Promise<ExaminedFacts> {
  try {
    return read((await ask(operation, input)) as Answer);
  } catch (error) {
    if (error instanceof ApiError) return {};
    throw error;
  }
}

function eventOf(watch: Watch, changes: readonly ToldChange[], before: Snapshot, at: string): WatchEvent {
  const { subject } = watch;
  const about: WatchEvent['about'] =
    subject.kind === 'indicator'
      ? { kind: 'indicator', indicator: subject.indicator }
      : { kind: 'domain', domain: subject.kind === 'domain' ? subject.domain : '' };
  const name = about.kind === 'indicator' ? about.indicator : about.domain;
  const count = changes.length === 1 ? '1 thing is' : `${changes.length} things are`;
  const digest = createHash('sha256')
    .update(`${watch.id}\n${JSON.stringify(changes)}`)
    .digest('hex');
  return {
    id: `evt_${digest.slice(0, 32)}`,
    watch_id: watch.id,
    seen_at: at,
    about,
    why: `${name} is watched: ${count} not as on ${before.at.slice(0, 10)}.`,
    what: describeExamination(changes),
    status: null,
    components: [],
    changes,
    current: null,
  };
}

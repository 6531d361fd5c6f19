import type { VersionRange } from '../cve/cve-facts.ts';
import type { VersionOrder } from '../versions/version-order.ts';

/** Affected versions from one end to the other; an end that is null is open. */
export interface AffectedRange extends VersionRange {
  /** The first version after it that has the fix, where that is known. */
  fixed: string | null;
}

/** One event of an OSV range; of the four, one is there. */
export interface RangeEvent {
  introduced?: string | undefined;
  fixed?: string | undefined;
  last_affected?: string | undefined;
  limit?: string | undefined;
}

/** An event has a version that the ecosystem's order cannot place. */
export class UnreadableVersionError extends Error {
  override readonly name = 'UnreadableVersionError';
}

/** `introduced: "0"`: before every version. */
const FIRST_VERSION = '0';
const NO_LIMIT = '*';

interface ParsedEvent {
  kind: 'introduced' | 'fixed' | 'last_affected';
  text: string;
  /** Null: before every version. */
  version: unknown;
}

/**
 * The spans of an OSV range (OSV schema, "Evaluation"): its events in the order of their versions turn "affected" on and off, and
 * nothing is affected from the highest limit on. Throws `UnreadableVersionError`.
 */
export function rangesFromEvents(events: readonly RangeEvent[], order: VersionOrder): AffectedRange[] {
  const placed = events.flatMap((event) => parseEvent(event, order));
  // Stable: events at one version stay in the order in which they are written.
  placed.sort((a, b) => compareEvents(a, b, order));
  const spans: AffectedRange[] = [];
  let start: string | null = null;
  const close = (end: Partial<AffectedRange>): void => {
    spans.push({ ...UNBOUNDED_RANGE, ...(start === FIRST_VERSION ? {} : { start_including: start }), ...end });
    start = null;
  };
  for (const { kind, text } of placed) {
    if (kind === 'introduced') start ??= text;
    else if (start !== null) close(kind === 'fixed' ? { end_excluding: text, fixed: text } : { end_including: text });
  }
  if (start !== null) close({});
  const limit = highestLimit(events, order);
  return limit === null ? spans : spans.flatMap((span) => cutAtLimit(span, limit, order));
}

const UNBOUNDED_RANGE: AffectedRange = {
  start_including: null,
  start_excluding: null,
  end_including: null,
  end_excluding: null,
  fixed: null,
};

/** A span with the given ends. */
export function createAffectedRange(ends: Partial<AffectedRange>): AffectedRange {
  return { ...UNBOUNDED_RANGE, ...ends };
}

function parseEvent(event: RangeEvent, order: VersionOrder): ParsedEvent[] {
  const { introduced, fixed, last_affected } = event;
  if (introduced !== undefined) {
    const version = introduced === FIRST_VERSION ? null : parseVersionOrThrow(introduced, order);
    return [{ kind: 'introduced', text: introduced, version }];
  }
  if (fixed !== undefined) return [{ kind: 'fixed', text: fixed, version: parseVersionOrThrow(fixed, order) }];
  if (last_affected !== undefined) {
    return [{ kind: 'last_affected', text: last_affected, version: parseVersionOrThrow(last_affected, order) }];
  }
  return [];
}

function parseVersionOrThrow(text: string, order: VersionOrder): unknown {
  const version = order.parse(text);
  if (version === null) throw new UnreadableVersionError(`${text} is no version of its ecosystem`);
  return version;
}

function compareEvents(a: ParsedEvent, b: ParsedEvent, order: VersionOrder): number {
  if (a.version === null || b.version === null) return Number(a.version !== null) - Number(b.version !== null);
  return order.compare(a.version, b.version);
}

function highestLimit(events: readonly RangeEvent[], order: VersionOrder): string | null {
  const limits = events.map(({ limit }) => limit).filter((limit) => limit !== undefined);
  if (limits.length === 0 || limits.includes(NO_LIMIT)) return null;
  return limits.reduce((a, b) =>
    order.compare(parseVersionOrThrow(a, order), parseVersionOrThrow(b, order)) < 0 ? b : a,
  );
}

function cutAtLimit(span: AffectedRange, limit: string, order: VersionOrder): AffectedRange[] {
  const cut = parseVersionOrThrow(limit, order);
  const isBefore = (text: string | null): boolean =>
    text !== null && order.compare(parseVersionOrThrow(text, order), cut) < 0;
  if (span.start_including !== null && !isBefore(span.start_including)) return [];
  if (isBefore(span.end_including) || isBefore(span.end_excluding)) return [span];
  return [{ ...span, end_including: null, end_excluding: limit, fixed: null }];
}

/** Whether the span holds the version; a bound that the order cannot read holds nothing. */
export function isInRange(span: VersionRange, version: unknown, order: VersionOrder): boolean {
  const compared = (bound: string): number => {
    const parsed = order.parse(bound);
    return parsed === null ? Number.NaN : order.compare(version, parsed);
  };
  return (
    (span.start_including === null || compared(span.start_including) >= 0) &&
    (span.start_excluding === null || compared(span.start_excluding) > 0) &&
    (span.end_including === null || compared(span.end_including) <= 0) &&
    (span.end_excluding === null || compared(span.end_excluding) < 0)
  );
}

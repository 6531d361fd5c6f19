import type { VersionRange } from '../cve/facts.ts';
import type { VersionOrder } from '../versions/order.ts';

/** Affected versions from one end to the other; an end that is null is open. */
export interface AffectedSpan extends VersionRange {
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
const FROM_THE_FIRST = '0';
const UNLIMITED = '*';

interface Placed {
  kind: 'introduced' | 'fixed' | 'last_affected';
  text: string;
  /** Null: before every version. */
  version: unknown;
}

/**
 * The spans of an OSV range (OSV schema, "Evaluation"): its events in the order of their versions turn "affected" on and off, and
 * nothing is affected from the highest limit on. Throws `UnreadableVersionError`.
 */
export function spansOfEvents(events: readonly RangeEvent[], order: VersionOrder): AffectedSpan[] {
  const placed = events.flatMap((event) => placedEvent(event, order));
  // Stable: events at one version stay in the order in which they are written.
  placed.sort((a, b) => comparePlaces(a, b, order));
  const spans: AffectedSpan[] = [];
  let start: string | null = null;
  const close = (end: Partial<AffectedSpan>): void => {
    spans.push({ ...EVERY_VERSION, ...(start === FROM_THE_FIRST ? {} : { start_including: start }), ...end });
    start = null;
  };
  for (const { kind, text } of placed) {
    if (kind === 'introduced') start ??= text;
    else if (start !== null) close(kind === 'fixed' ? { end_excluding: text, fixed: text } : { end_including: text });
  }
  if (start !== null) close({});
  const limit = highestLimit(events, order);
  return limit === null ? spans : spans.flatMap((span) => cutAt(span, limit, order));
}

const EVERY_VERSION: AffectedSpan = {
  start_including: null,
  start_excluding: null,
  end_including: null,
  end_excluding: null,
  fixed: null,
};

/** A span with the given ends. */
export function spanOf(ends: Partial<AffectedSpan>): AffectedSpan {
  return { ...EVERY_VERSION, ...ends };
}

function placedEvent(event: RangeEvent, order: VersionOrder): Placed[] {
  const { introduced, fixed, last_affected } = event;
  if (introduced !== undefined) {
    const version = introduced === FROM_THE_FIRST ? null : read(introduced, order);
    return [{ kind: 'introduced', text: introduced, version }];
  }
  if (fixed !== undefined) return [{ kind: 'fixed', text: fixed, version: read(fixed, order) }];
  if (last_affected !== undefined) {
    return [{ kind: 'last_affected', text: last_affected, version: read(last_affected, order) }];
  }
  return [];
}

function read(text: string, order: VersionOrder): unknown {
  const version = order.parse(text);
  if (version === null) throw new UnreadableVersionError(`${text} is no version of its ecosystem`);
  return version;
}

function comparePlaces(a: Placed, b: Placed, order: VersionOrder): number {
  if (a.version === null || b.version === null) return Number(a.version !== null) - Number(b.version !== null);
  return order.compare(a.version, b.version);
}

function highestLimit(events: readonly RangeEvent[], order: VersionOrder): string | null {
  const limits = events.map(({ limit }) => limit).filter((limit) => limit !== undefined);
  if (limits.length === 0 || limits.includes(UNLIMITED)) return null;
  return limits.reduce((a, b) => (order.compare(read(a, order), read(b, order)) < 0 ? b : a));
}

function cutAt(span: AffectedSpan, limit: string, order: VersionOrder): AffectedSpan[] {
  const cut = read(limit, order);
  const isBefore = (text: string | null): boolean => text !== null && order.compare(read(text, order), cut) < 0;
  if (span.start_including !== null && !isBefore(span.start_including)) return [];
  if (isBefore(span.end_including) || isBefore(span.end_excluding)) return [span];
  return [{ ...span, end_including: null, end_excluding: limit, fixed: null }];
}

/** Whether the span holds the version; a bound that the order cannot read holds nothing. */
export function holds(span: VersionRange, version: unknown, order: VersionOrder): boolean {
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

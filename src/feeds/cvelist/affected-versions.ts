import { versionSpan, type VersionSpan } from '../version-span.ts';
import type { AffectedEntry, VersionRow } from './schema.ts';
import { compareVersions } from './version-order.ts';
import { rangeEnd, parseVersionText, rangeStart } from './version-text.ts';

/**
 * The affected versions of one `affected` entry (CVE Record Format 5, "product status"); [] if no version is affected.
 * If versions are affected by default, these are all versions outside the rows with status `unaffected`.
 */
export function affectedVersions(entry: Pick<AffectedEntry, 'defaultStatus' | 'versions'>): VersionSpan[] {
  const rows = entry.versions ?? [];
  const affected = rows.flatMap(affectedInRow);
  if (entry.defaultStatus !== 'affected') return affected;
  const unaffected = rows.filter((row) => row.status === 'unaffected');
  const outside = unaffected.length > 0 ? spansOutside(unaffected) : null;
  if (outside !== null) return [...outside, ...unaffected.flatMap(affectedInRow)];
  return affected.length > 0 ? affected : [versionSpan()];
}

function affectedInRow(row: VersionRow): VersionSpan[] {
  const end = endOfRow(row);
  if (end !== null) return segmentsOf(row, versionSpan({ start_including: rangeStart(row.version), ...end }));
  return row.status === 'affected' ? parseVersionText(row.version) : [];
}

/** The end of a row's range; null if the row is a single version. */
function endOfRow(row: VersionRow): Pick<VersionSpan, 'end_including' | 'end_excluding'> | null {
  if (row.lessThan !== undefined) return rangeEnd(row.lessThan, false);
  if (row.lessThanOrEqual !== undefined) return rangeEnd(row.lessThanOrEqual, true);
  return null;
}

/**
 * The affected parts of a range whose status changes at the versions in `changes`. Of several consecutive fixes (one for each
 * maintained branch) the last one ends a part, so that no affected version is missed. Changes at or after the range's end are
 * ignored.
 */
function segmentsOf(row: VersionRow, range: VersionSpan): VersionSpan[] {
  const end = range.end_excluding ?? range.end_including;
  const within = (row.changes ?? []).filter(({ at }) => {
    const order = end === null ? -1 : compareVersions(at, end);
    return order !== null && order < 0;
  });
  const segments: VersionSpan[] = [];
  let current = row.status === 'affected' ? range : null;
  let fixedAt: string | null = null;
  const endSegment = () => {
    if (current !== null)
      segments.push(fixedAt === null ? current : { ...current, end_including: null, end_excluding: fixedAt });
  };
  for (const { at, status } of within.toSorted((a, b) => compareVersions(a.at, b.at) ?? 0)) {
    if (status !== 'affected') fixedAt = at;
    else if (current === null || fixedAt !== null) {
      endSegment();
      current = { ...range, start_including: at };
      fixedAt = null;
    }
  }
  endSegment();
  return segments;
}

interface UnaffectedRange {
  from: string | null;
  end: Pick<VersionSpan, 'end_including' | 'end_excluding'> | null;
}

/** The versions outside the unaffected rows; null if their versions cannot be compared. */
function spansOutside(rows: VersionRow[]): VersionSpan[] | null {
  const gaps = rows.map((row): UnaffectedRange => ({ from: rangeStart(row.version), end: endOfRow(row) }));
  let areComparable = true;
  gaps.sort((a, b) => {
    const order = compareStarts(a.from, b.from);
    areComparable &&= order !== null;
    return order ?? 0;
  });
  if (!areComparable) return null;
  const spans: VersionSpan[] = [];
  let start: Partial<VersionSpan> = {};
  for (const [index, { from, end }] of gaps.entries()) {
    if (from !== null && isBefore(start, from)) spans.push(versionSpan({ ...start, end_excluding: from }));
    // A single unaffected version after all others is the release with the fix.
    const isOpen = end === null ? index === gaps.length - 1 : end.end_including === null && end.end_excluding === null;
    if (isOpen) return spans;
    const next = end === null ? { start_excluding: from } : startAfter(end);
    if (isBefore(start, positionOf(next) ?? '')) start = next;
  }
  spans.push(versionSpan(start));
  return spans;
}

function startAfter(end: Pick<VersionSpan, 'end_including' | 'end_excluding'>): Partial<VersionSpan> {
  return end.end_excluding !== null ? { start_including: end.end_excluding } : { start_excluding: end.end_including };
}

function isBefore(start: Partial<VersionSpan>, version: string): boolean {
  const position = positionOf(start);
  return position === null || (compareVersions(position, version) ?? -1) < 0;
}

function positionOf(start: Partial<VersionSpan>): string | null {
  return start.start_including ?? start.start_excluding ?? null;
}

function compareStarts(a: string | null, b: string | null): number | null {
  if (a === b) return 0;
  if (a === null) return -1;
  return b === null ? 1 : compareVersions(a, b);
}

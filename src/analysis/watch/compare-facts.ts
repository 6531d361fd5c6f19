import type { FieldChange } from '../cve/field-change.ts';
import { displayLine, summarizeList } from '../display-text.ts';
import { type CheckSeverity, CHECK_SEVERITIES, compareSeverity, type Severity } from '../severity.ts';
import type { ToldChange } from './watch.ts';

/** A finding that is open: what it is, and how bad. */
export interface OpenFinding {
  severity: CheckSeverity;
  text: string;
}

/**
 * One thing that an examination saw. A value is a text, or null: there is none. Of a list the order says nothing. Findings are by id. `source`:
 * who was asked.
 */
export type ExaminedFact =
  | { kind: 'grade' | 'value'; label: string; source: string; value: string | null }
  | { kind: 'list'; label: string; source: string; value: readonly string[] }
  | { kind: 'findings'; label: string; source: string; value: Readonly<Record<string, OpenFinding>> };

/** What is known of a domain or indicator, by the name of the fact. What is not known is not there. */
export type ExaminedFacts = Readonly<Record<string, ExaminedFact>>;

const MAX_SHOWN = 5;
const MAX_TEXT = 120;

/** What an examination keeps: what it saw, and what it could not see as it was seen before. */
export function keepFacts(before: ExaminedFacts | null, now: ExaminedFacts): ExaminedFacts {
  return { ...before, ...now };
}

/**
 * What changed between two examinations, worst first. What one of them did not see is no change. Findings of less than `severityMin` are not
 * told.
 */
export function compareFacts(
  before: ExaminedFacts,
  now: ExaminedFacts,
  seenAt: string,
  severityMin: Severity | null,
): ToldChange[] {
  const changes = Object.entries(now).flatMap(([name, fact]) => {
    const old = before[name];
    return old === undefined || old.kind !== fact.kind ? [] : compareFact(old, fact, severityMin);
  });
  return changes
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ change, source }) => ({ ...change, source, seen_at: seenAt }));
}

interface ComparedChange {
  change: FieldChange;
  source: string;
  severity: CheckSeverity | null;
}

function compareFact(old: ExaminedFact, fact: ExaminedFact, severityMin: Severity | null): ComparedChange[] {
  const { source, label } = fact;
  if (fact.kind === 'findings' && old.kind === 'findings') return compareFindings(old.value, fact, severityMin);
  if (fact.kind === 'list' && old.kind === 'list') {
    const [was, is] = [old.value.toSorted(), fact.value.toSorted()];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const change = { kind: 'record', change: 'changed', at: null, field: label, before: was, after: is } as const;
    return [{ change, source, severity: null }];
  }
  if (old.value === fact.value || fact.kind === 'findings' || fact.kind === 'list') return [];
  const before = typeof old.value === 'string' ? old.value : null;
  const type = before === null ? 'added' : fact.value === null ? 'removed' : 'changed';
  const kind = fact.kind === 'grade' ? 'score' : 'record';
  return [
    { change: { kind, change: type, at: null, field: label, before, after: fact.value }, source, severity: null },
  ];
}

function compareFindings(
  old: Readonly<Record<string, OpenFinding>>,
  { value: now, source, label }: Extract<ExaminedFact, { kind: 'findings' }>,
  severityMin: Severity | null,
): ComparedChange[] {
  const isTold = ({ severity }: OpenFinding): boolean =>
    severityMin === null || compareSeverity(severity, severityMin) <= 0;
  const changeOf = (type: 'added' | 'removed', id: string, finding: OpenFinding): ComparedChange => {
    const value = { severity: finding.severity, title: finding.text };
    const [before, after] = type === 'added' ? [null, value] : [value, null];
    const change = { kind: 'status', change: type, at: null, field: `${label} ${id}`, before, after } as const;
    return { source, severity: type === 'added' ? finding.severity : null, change };
  };
  const missing = (
    type: 'added' | 'removed',
    some: Readonly<Record<string, OpenFinding>>,
    others: Readonly<Record<string, OpenFinding>>,
  ): ComparedChange[] =>
    Object.entries(some)
      .filter(([id, finding]) => !Object.hasOwn(others, id) && isTold(finding))
      .map(([id, finding]) => changeOf(type, id, finding));
  return [...missing('added', now, old), ...missing('removed', old, now)];
}

/** New findings by severity, then the rest, and what is mended last. */
function rankOf({ change, severity }: ComparedChange): number {
  if (severity !== null) return CHECK_SEVERITIES.indexOf(severity);
  return CHECK_SEVERITIES.length + (change.kind === 'status' ? 2 : change.kind === 'score' ? 0 : 1);
}

/** What changed, as a sentence for each of the first changes, and how many more there are. */
export function describeExamination(changes: readonly ToldChange[]): string {
  const sentences = changes.slice(0, MAX_SHOWN).map(sentenceOf);
  const more = changes.length - sentences.length;
  return [...sentences, ...(more > 0 ? [`And ${more} more change${more === 1 ? '' : 's'}.`] : [])].join(' ');
}

function sentenceOf({ kind, change, field, before, after }: ToldChange): string {
  if (kind === 'status') {
    const { severity, title } = (after ?? before) as { severity: string; title: string };
    const text = displayLine(title, MAX_TEXT).replace(/\.$/, '');
    return change === 'added' ? `New, ${severity}: ${text}.` : `No longer: ${text}.`;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is] = [before as readonly string[], after as readonly string[]];
    const added = is.filter((one) => !was.includes(one));
    const gone = was.filter((one) => !is.includes(one));
    const parts = [
      ...(added.length > 0 ? [`new ${summarizeList(added)}`] : []),
      ...(gone.length > 0 ? [`gone ${summarizeList(gone)}`] : []),
    ];
    return `${field}: ${parts.join('; ')}.`;
  }
  const [was, is] = [before, after].map((value) => (typeof value === 'string' ? displayLine(value, MAX_TEXT) : 'none'));
  return `${field} changed from ${was} to ${is}.`;
}

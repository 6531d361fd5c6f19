import { z } from 'zod';
import { CHANGE_KINDS, CHANGE_TYPES, type ChangeKind } from '../../../analysis/cve/field-change.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { ChangesQuery, RecordedChange } from '../../../catalog/history/change-reader.ts';
import type { Evidence } from '../../../engine/evidence.ts';
import { ForeignText, ForeignValue } from '../../../engine/foreign-text.ts';
import { validationError } from '../../../engine/input/parse-input.ts';

const DAY_OR_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
const CURSOR = /^([0-9a-f]{8})\.(\d{1,15})$/;
const SINCE = ['query', 'since'];

/** `kev,score`: kinds with commas between them. A pattern would take half a kilobyte before each model. */
const KindsField = z
  .string()
  .max(120)
  .refine((text) => text.split(',').every((kind) => CHANGE_KINDS.includes(kind as ChangeKind)), {
    error: `kinds of changes, with commas between them: ${CHANGE_KINDS.join(', ')}`,
  })
  .optional();
export const kindsField = KindsField.meta({ description: `With commas: ${CHANGE_KINDS.join(', ')}.` });
/** For the other tool that has it. */
export const shortKindsField = KindsField.meta({ description: 'Kinds as of changes: `kev,score`.' });

export const Change = z.object({
  cve_id: z.string(),
  kind: z.enum(CHANGE_KINDS),
  change: z.enum(CHANGE_TYPES),
  at: z.string().nullable().meta({ description: 'When the source says; null: it does not say.' }),
  seen_at: z.string().meta({ description: 'When a sync here saw it; of imported days that day.' }),
  source: z.string(),
  field: ForeignText.meta({ description: 'Scorer and CVSS version, product, CWE source, id or name of the field.' }),
  before: ForeignValue.meta({ description: 'Null: there was none. Of EPSS: the score that was last recorded.' }),
  after: ForeignValue.meta({ description: 'Null: there is none any more.' }),
});

/** Null: all kinds. */
export function kindsOf(text: string | undefined): ReadonlySet<ChangeKind> | null {
  return text === undefined ? null : new Set(text.split(',') as ChangeKind[]);
}

export function presentChange({ seq: _, ...change }: RecordedChange): z.output<typeof Change> {
  return change;
}

/** Whether a text has the form of a day or a time, and not that of a cursor. */
export function isDayOrTime(text: string): boolean {
  return DAY_OR_TIME.test(text);
}

/** Milliseconds since 1970 of a day (its begin, UTC) or a time. Throws 422 for another text, about the input at `loc`. */
export function parseTime(since: string, loc = SINCE): number {
  const time = isDayOrTime(since) ? Date.parse(since) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const orCursor = loc === SINCE ? ', a next_cursor, or latest' : '';
  throw timeError(`a day (2026-11-20), a time with its zone (2026-11-20T08:00:00Z)${orCursor}`, loc);
}

/** A cursor as `formatCursor` makes it, or a time. Throws 422 for another text, and for a cursor that is not of this catalog. */
export function parseSince(
  since: string,
  { historyId, last }: CatalogView['history'],
): Pick<ChangesQuery, 'after' | 'seenFrom'> {
  if (since === 'latest') return { after: 'latest', seenFrom: null };
  const [, id, seq] = CURSOR.exec(since) ?? [];
  if (seq === undefined) return { after: 0, seenFrom: parseTime(since) };
  if (id !== historyId)
    throw timeError('the cursor is of another catalog, whose changes have other numbers: begin with a time');
  if (Number(seq) > last)
    throw timeError('the cursor is ahead of this catalog, which is an older one: begin with a time');
  return { after: Number(seq), seenFrom: null };
}

export function formatCursor({ historyId }: CatalogView['history'], seq: number): string {
  return `${historyId}.${seq}`;
}

/** Records how far back the history of each source reaches, and gives it, oldest first. */
export function reachOf(
  catalog: CatalogView,
  since: number | null,
  evidence: Evidence,
): { source: string; since: string }[] {
  const reach = [...catalog.history.reach].sort((a, b) => a[1].localeCompare(b[1]));
  if (reach.length === 0)
    evidence.addGap('no changes were recorded yet: the first sync of a source is what later ones are compared with');
  const later = reach.filter(([, from]) => since === null || Date.parse(from) > since);
  if (later.length > 0)
    evidence.addGap(
      `changes before this are not known: ${later.map(([source, from]) => `${source} ${from.slice(0, 10)}`).join(', ')}`,
    );
  const restart = catalog.history.restarts.at(-1);
  if (restart !== undefined && (since === null || Date.parse(restart) > since))
    evidence.addGap(
      `the catalog was built anew on ${restart.slice(0, 10)}: what changed between the sync before and that one is not known`,
    );
  return reach.map(([source, from]) => ({ source, since: from }));
}

function timeError(msg: string, loc = SINCE): Error {
  return validationError([{ loc, msg, type: 'invalid_value' }]);
}

import { type FieldChange, fieldChange } from '../../analysis/cve/field-change.ts';
import type { AdvisoryEntry, ExploitEntry, KevEntry } from '../../feeds/entries.ts';

/** Fields of an entry of the known-exploited catalog that may change while it stays. */
const KEV_FIELDS = [
  'vendor_project',
  'product',
  'vulnerability_name',
  'date_added',
  'due_date',
  'required_action',
  'short_description',
  'known_ransomware_use',
  'notes',
] as const;

/** An entry that was added or removed (null) is one change, one that stays a change for each field. `dataTime`: that of the catalog. */
export function diffKevEntries(
  before: KevEntry | null,
  after: KevEntry | null,
  dataTime: string | null,
): FieldChange[] {
  if (before === null || after === null) {
    const at = before === null ? (after?.date_added ?? null) : dataTime;
    return present([fieldChange('kev', at, 'entry', kevValue(before), kevValue(after))]);
  }
  return present([
    ...KEV_FIELDS.map((field) => fieldChange('kev', dataTime, field, before[field], after[field])),
    fieldChange('kev', dataTime, 'cwes', before.cwes, after.cwes),
  ]).map((change) => ({ ...change, change: 'changed' }));
}

function kevValue(entry: KevEntry | null) {
  if (entry === null) return null;
  const { date_added, due_date, known_ransomware_use, vulnerability_name } = entry;
  return { vulnerability_name, date_added, due_date, known_ransomware_use };
}

/** A public exploit that the archive has now (`before` null), or has no more. */
export function diffExploits(
  before: ExploitEntry | null,
  after: ExploitEntry | null,
  dataTime: string | null,
): FieldChange[] {
  const at = before === null ? (after?.date_published ?? null) : dataTime;
  const field = `EDB-${(before ?? after)?.edb_id}`;
  return present([fieldChange('exploit', at, field, exploitValue(before), exploitValue(after))]);
}

function exploitValue(entry: ExploitEntry | null) {
  if (entry === null) return null;
  const { title, type, verified, date_published } = entry;
  return { title, type, verified, date_published };
}

/** What changed about a GitHub advisory: whether it is there, its severity and withdrawal, and the fixed versions of each package. */
export function diffAdvisories(before: AdvisoryEntry | null, after: AdvisoryEntry): FieldChange[] {
  const at = after.updated ?? after.published;
  const [was, is] = [fixesByPackage(before), fixesByPackage(after)];
  return present([
    fieldChange('advisory', at, after.ghsa_id, advisoryValue(before), advisoryValue(after)),
    ...[...new Set([...was.keys(), ...is.keys()])].map((name) =>
      fieldChange('fix', at, name, was.get(name) ?? null, is.get(name) ?? null),
    ),
  ]);
}

function advisoryValue(entry: AdvisoryEntry | null) {
  if (entry === null) return null;
  const { severity, withdrawn, url } = entry;
  return { severity, withdrawn, url };
}

/** First patched versions by `ecosystem:package`. */
function fixesByPackage(entry: AdvisoryEntry | null): Map<string, string[]> {
  const fixes = new Map<string, string[]>();
  for (const { ecosystem, name, first_patched } of entry?.packages ?? []) {
    if (first_patched === null) continue;
    const key = `${ecosystem}:${name}`;
    const known = fixes.get(key) ?? [];
    if (!known.includes(first_patched)) fixes.set(key, [...known, first_patched].sort());
  }
  return fixes;
}

function present(changes: readonly (FieldChange | null)[]): FieldChange[] {
  return changes.filter((change) => change !== null);
}

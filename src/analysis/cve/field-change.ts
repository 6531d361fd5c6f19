/** What may change about a CVE. The order is that of the numbers in the catalog: new kinds go to the end. */
export const CHANGE_KINDS = [
  'record',
  'status',
  'score',
  'weakness',
  'product',
  'reference',
  'ssvc',
  'kev',
  'epss',
  'exploit',
  'advisory',
  'fix',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** In the order of their numbers in the catalog. */
export const CHANGE_TYPES = ['added', 'removed', 'changed'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** A value before or after a change, as JSON; null: there was none. */
export type ChangedValue =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | { readonly [name: string]: ChangedValue };

/** One field of what a source says of a CVE, before and after. */
export interface FieldChange {
  kind: ChangeKind;
  change: ChangeType;
  /** When the source says that it changed (ISO 8601 UTC, or YYYY-MM-DD); null where it does not say. */
  at: string | null;
  /** Which one of its kind: the scorer and CVSS version of a score, the product, the name of the field. */
  field: string;
  before: ChangedValue;
  after: ChangedValue;
}

/** A change of this field; null where both are the same. A value of null is one that is not there. */
export function fieldChange(
  kind: ChangeKind,
  at: string | null,
  field: string,
  before: ChangedValue,
  after: ChangedValue,
): FieldChange | null {
  if (JSON.stringify(before) === JSON.stringify(after)) return null;
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
  return { kind, change, at, field, before, after };
}

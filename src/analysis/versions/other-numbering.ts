import type { CveProduct } from '../cve/cve-facts.ts';
import { normalizeCpeToken } from '../cve/cpe.ts';

/** A row of a record with its product in the form of `normalizeCpeToken`. */
export interface NumberedRow {
  readonly row: Pick<CveProduct, 'end_excluding' | 'end_including' | 'vulnerable'>;
  readonly token: string;
  readonly vendor: string;
}

/** The part of a product whose releases have other numbers for the same state of its code. */
export interface OtherNumbering {
  /** Product token of the part. */
  readonly product: string;
  /** The end of its affected versions. */
  readonly end: string;
  /** The same end in the numbers of the product itself. */
  readonly ownEnd: string;
}

const NUMBERS = /^\d{1,9}(?:\.\d{1,9})+$/;

/**
 * Whether a version has the numbers of another part of its product: one record ends a flaw of Protocol Buffers in `28.2` of `protobuf` and
 * in `4.28.2` of `protobuf-java`, so that `4.25.5` cannot be compared with `28.2`. A part is a product of the same vendor whose name holds
 * the other's. Null: the record shows no second numbering, or the version fits its own.
 */
export function findOtherNumbering(
  rows: readonly NumberedRow[],
  isOwn: (index: number) => boolean,
  version: string | null,
): OtherNumbering | null {
  const parts = version === null ? null : numbersOf(version);
  if (parts === null) return null;
  const own = rows.filter((_, index) => isOwn(index));
  const ownEnds = [...new Set(own.flatMap(({ row }) => endOf(row) ?? []))];
  const [first] = own;
  if (first === undefined || ownEnds.length === 0) return null;
  for (const other of rows) {
    if (!other.row.vulnerable || !isPartOfOther(first, other)) continue;
    const end = endOf(other.row);
    const ownEnd = end === null ? undefined : ownEnds.find((one) => hasOtherNumbers(one, end));
    if (ownEnd === undefined) continue;
    if (fitsOther(parts, numbersOf(ownEnd)!, numbersOf(end!)!, ownEnds))
      return { product: other.token, end: end!, ownEnd };
  }
  return null;
}

/** `28.2` and `4.28.2`: one is the other with a number before it. */
function hasOtherNumbers(a: string, b: string): boolean {
  if (numbersOf(a) === null || numbersOf(b) === null || a === b) return false;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.endsWith(`.${short}`) && /^\d+$/.test(long.slice(0, long.length - short.length - 1));
}

/** By how many numbers the version has; one of the short numbering begins with a number that the long one never reached. */
function fitsOther(
  version: readonly number[],
  own: readonly number[],
  other: readonly number[],
  ownEnds: readonly string[],
): boolean {
  if (own.length < other.length) return version.length >= other.length;
  const latestMajor = Math.max(...ownEnds.map((end) => numbersOf(end)?.[0] ?? 0));
  return version.length <= other.length && version[0]! > latestMajor;
}

function isPartOfOther(a: NumberedRow, b: NumberedRow): boolean {
  if (a.vendor === '' || normalizeCpeToken(a.vendor) !== normalizeCpeToken(b.vendor) || a.token === b.token)
    return false;
  return a.token.includes(b.token) || b.token.includes(a.token);
}

function endOf({ end_excluding, end_including }: NumberedRow['row']): string | null {
  return end_excluding ?? end_including;
}

/** The numbers of a version that has nothing else; null for others. */
function numbersOf(version: string): number[] | null {
  return NUMBERS.test(version) ? version.split('.').map(Number) : null;
}

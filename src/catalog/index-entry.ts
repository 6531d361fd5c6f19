import { COVERAGE_FIELDS, type CoverageField } from '../analysis/cve/coverage.ts';
import type { CveFacts } from '../analysis/cve/cve-facts.ts';
import { mergeCve } from '../analysis/cve/merge-cve.ts';
import { type FixFinding, withKevAction } from '../analysis/cve/patch-reference.ts';
import { leadingAssessment, selectSeverity } from '../analysis/cve/select-severity.ts';
import type { KevEntry } from '../feeds/entries.ts';
import { FLAGS, NO_CVSS, SEVERITY_CODES } from './cve-columns.ts';
import { POSTING_KINDS } from './postings.ts';
import { encodeTokens, TOKEN_KINDS } from './product-tokens.ts';
import { namesVersion } from './record-encoder.ts';
import type { TextNumbers } from './shared-texts.ts';
import { VarintReader } from './varints.ts';

/** What the index takes of a record, or of the merged record of a CVE (whose `coverage` and `products` are empty): it is stored beside it. */
export interface IndexEntry {
  /** As in `CveColumns`. */
  published: number;
  severity: number;
  cvss: number;
  /** `FLAGS` without `kev`. */
  flags: number;
  /** A bit for each of `COVERAGE_FIELDS`, in their order. */
  coverage: number;
  /** Numbers of the names of posting lists: `kind<TAB>vendor<TAB>product`. */
  products: readonly number[];
  weaknesses: readonly number[];
}

/** The entry of a CVE that only the known-exploited catalog has. */
export const NO_RECORD_ENTRY: IndexEntry = {
  published: 0,
  severity: 0,
  cvss: NO_CVSS,
  flags: FLAGS.leading,
  coverage: 0,
  products: [],
  weaknesses: [],
};

/** The first numbers of an encoded entry are not those of names. */
export const INDEX_ENTRY_VALUES = 6;

/** The posting list of a weakness (`CWE-79`), named as product tokens are. */
export function weaknessPosting(cweId: string): string {
  return `${POSTING_KINDS.weakness}\t\t${cweId}`;
}

/** The entry of the merged record of a CVE. */
export function indexEntryOf(
  cve: Pick<ReturnType<typeof mergeCve>, 'metrics' | 'published' | 'rejected' | 'leading' | 'weaknesses'>,
  patchAvailable: boolean | null,
  names: TextNumbers,
): IndexEntry {
  const { severity } = selectSeverity(cve.metrics);
  const cvss = leadingAssessment(cve.metrics, ['3.1', '3.0'])?.base_score ?? null;
  const weaknesses = new Set(cve.weaknesses.map(({ cwe_id }) => cwe_id));
  return {
    published: cve.published === null ? 0 : Math.floor(Date.parse(cve.published) / 1000) || 0,
    severity: severity === null ? 0 : SEVERITY_CODES[severity],
    cvss: cvss === null ? NO_CVSS : Math.round(cvss * 10),
    flags: (cve.rejected ? FLAGS.rejected : 0) | (cve.leading ? FLAGS.leading : 0) | fixFlag(patchAvailable),
    coverage: 0,
    products: [],
    weaknesses: Array.from(weaknesses, (cweId) => names.numberOf(weaknessPosting(cweId))),
  };
}

/** The flag that says whether there is a fix; 0: not known. */
export function fixFlag(patchAvailable: boolean | null): number {
  if (patchAvailable === null) return 0;
  return patchAvailable ? FLAGS.patched : FLAGS.unpatched;
}

/** The entry of one source's record. */
export function indexEntryOfRecord(facts: CveFacts, patchAvailable: boolean | null, names: TextNumbers): IndexEntry {
  const tokens = encodeTokens(facts.products);
  // Products and references make no difference, and take the time of merging.
  const merged = mergeCve([{ ...facts, products: [], references: [] }]);
  const has: Record<CoverageField, boolean> = {
    products: facts.products.length > 0,
    cpe: tokens.some((token) => token.startsWith(`${TOKEN_KINDS.affected}\t`)),
    versions: facts.products.some(namesVersion),
    cvss: facts.metrics.length > 0,
    cwe: facts.weaknesses.length > 0,
  };
  return {
    ...indexEntryOf(merged, patchAvailable, names),
    coverage: COVERAGE_FIELDS.reduce((bits, field, at) => bits | (has[field] ? 1 << at : 0), 0),
    products: tokens.map((token) => names.numberOf(token)),
  };
}

export function encodeIndexEntry(entry: IndexEntry): number[] {
  const { published, severity, cvss, flags, coverage, products, weaknesses } = entry;
  return [published, severity, cvss, flags, coverage, products.length, ...products, ...weaknesses];
}

/** The entry of bytes that hold the numbers of `encodeIndexEntry` as varints. */
export function decodeIndexEntry(bytes: Uint8Array): IndexEntry {
  const numbers = new VarintReader(bytes);
  const [published, severity, cvss, flags, coverage] = [
    numbers.next(),
    numbers.next(),
    numbers.next(),
    numbers.next(),
    numbers.next(),
  ];
  const products: number[] = [];
  for (let left = numbers.next(); left > 0; left--) products.push(numbers.next());
  const weaknesses: number[] = [];
  while (!numbers.isAtEnd) weaknesses.push(numbers.next());
  return { published, severity, cvss, flags, coverage, products, weaknesses };
}

export function coverageFieldsOf({ coverage }: IndexEntry): CoverageField[] {
  return COVERAGE_FIELDS.filter((_, at) => (coverage & (1 << at)) !== 0);
}

/** The flags of a CVE that is known to be exploited, with the fix that its required action implies, as in look-ups. */
export function withExploitation(flags: number, { required_action }: KevEntry): number {
  const known = (flags & FLAGS.patched) !== 0 ? true : (flags & FLAGS.unpatched) !== 0 ? false : null;
  const fix: FixFinding = { patch_available: known, fix: { kind: 'none_known', url: null, versions: [] } };
  const { patch_available } = withKevAction(fix, required_action);
  return (flags & ~(FLAGS.patched | FLAGS.unpatched)) | fixFlag(patch_available) | FLAGS.kev;
}

import type { CvssVersion } from '../cvss/metrics.ts';
import type { Severity } from '../severity.ts';
import type { CveFacts, CveProduct, CvssAssessment, SsvcAssessment } from './cve-facts.ts';
import { CUT_RANGES } from './diff-facts.ts';
import type { FieldChange } from './field-change.ts';
import type { FixFinding } from './patch-reference.ts';
import { productName, productOfRange, rangeText } from './product-range-text.ts';
import { NVD_SCORER } from './select-severity.ts';

/** What a source said of a CVE before some changes. */
export interface UndoneFacts {
  facts: CveFacts;
  /** Whether there was a fix; undefined: the changes do not say. */
  patchAvailable: FixFinding['patch_available'] | undefined;
  /** Products whose ranges of then are not all known: a change holds a limited number of them. */
  cutProducts: readonly string[];
}

interface ScoreValue {
  score: number | null;
  severity: Severity | null;
  vector: string;
}

/**
 * One source's record of a CVE without these changes (newest first), as `diffFacts` found them. What changes do not hold is of the
 * given record: title, description, references other than those to patches and exploits; who restores a score or a product takes what
 * else belongs to it from others of the same scorer or product. The applicability tree is left out where products changed.
 */
export function undoFacts(given: CveFacts, changes: readonly FieldChange[]): UndoneFacts {
  const facts: CveFacts = {
    ...given,
    metrics: [...given.metrics],
    weaknesses: [...given.weaknesses],
    references: [...given.references],
    products: [...given.products],
  };
  const undone = { facts, patchAvailable: undefined as UndoneFacts['patchAvailable'], cutProducts: [] as string[] };
  const points: Partial<Record<string, unknown>> = { ...given.ssvc };
  for (const change of changes) {
    const { kind, field, before, after } = change;
    if (kind === 'status' && field === 'status') setStatus(facts, before as string);
    else if (kind === 'status') facts.tags = [...((before as readonly string[] | null) ?? [])];
    else if (kind === 'score') undoScore(facts, field, before as ScoreValue | null, after as ScoreValue | null);
    else if (kind === 'weakness') undoWeakness(facts, change);
    else if (kind === 'reference') undoReference(facts, change);
    else if (kind === 'product') undone.cutProducts.push(...undoProduct(facts, given.products, change));
    else if (kind === 'ssvc') points[field] = before;
    else if (kind === 'fix' && field === 'patch_available') undone.patchAvailable = before as boolean | null;
  }
  if (changes.some(({ kind }) => kind === 'ssvc')) facts.ssvc = toSsvc(points);
  return undone;
}

function setStatus(facts: CveFacts, status: string): void {
  facts.status = status;
  facts.rejected = /^(?:rejected|withdrawn)$/i.test(status);
}

/** `field`: scorer and version, `nvd@nist.gov CVSS 3.1`. */
function undoScore(facts: CveFacts, field: string, before: ScoreValue | null, after: ScoreValue | null): void {
  const [scorer, version] = field.split(/ CVSS (?=[\d.]+$)/) as [string, CvssVersion];
  const isOfField = (metric: CvssAssessment): boolean => metric.scorer === scorer && metric.version === version;
  const found = facts.metrics.findIndex(
    (metric) =>
      isOfField(metric) &&
      metric.base_score === after?.score &&
      metric.base_severity === after.severity &&
      metric.vector === after.vector,
  );
  const like = facts.metrics[found] ?? facts.metrics.find((metric) => metric.scorer === scorer);
  const restored = before === null ? [] : [scoreOf(facts, scorer, version, before, like)];
  if (found === -1) facts.metrics.push(...restored);
  else facts.metrics.splice(found, 1, ...restored);
}

function scoreOf(
  { source }: CveFacts,
  scorer: string,
  version: CvssVersion,
  { score, severity, vector }: ScoreValue,
  like: CvssAssessment | undefined,
): CvssAssessment {
  // In the NVD's records its own score is the primary one, in CVE records that of the CNA, beside which there is CISA's.
  const primary = like?.primary ?? (source === 'nvd' ? scorer === NVD_SCORER : scorer !== 'CISA-ADP');
  return { version, vector, base_score: score, base_severity: severity, scorer, primary };
}

function undoWeakness(facts: CveFacts, { field, before, after }: FieldChange): void {
  if (after !== null)
    facts.weaknesses = facts.weaknesses.filter(({ cwe_id, source }) => cwe_id !== after || source !== field);
  if (before !== null) facts.weaknesses.push({ cwe_id: before as string, source: field });
}

/** `field`: the tag, `patch` or `exploit`. A reference stays when its tag goes: whether it was there is not recorded. */
function undoReference(facts: CveFacts, { field, before, after }: FieldChange): void {
  const isTag = (tag: string): boolean => tag.toLowerCase() === field;
  facts.references = facts.references.map((reference) =>
    reference.url === after ? { ...reference, tags: reference.tags.filter((tag) => !isTag(tag)) } : reference,
  );
  if (before === null) return;
  const tag = facts.source === 'nvd' ? `${field[0]!.toUpperCase()}${field.slice(1)}` : field;
  const at = facts.references.findIndex(({ url }) => url === before);
  const known = facts.references[at];
  if (known === undefined) facts.references.push({ url: before as string, tags: [tag], source: null });
  else facts.references[at] = { ...known, tags: [...known.tags, tag] };
}

/** Gives the name of the product if not all of its ranges are known. */
function undoProduct(facts: CveFacts, givenRows: readonly CveProduct[], change: FieldChange): string[] {
  const { field, before, after } = change;
  const [gone, added] = [before, after].map((ranges) => (ranges as readonly string[] | null) ?? []) as [
    readonly string[],
    readonly string[],
  ];
  facts.configurations = [];
  const isOfProduct = (row: CveProduct): boolean => row.vulnerable && productName(row) === field;
  const removed = new Set(added);
  const isRemoved = (row: CveProduct): boolean =>
    isOfProduct(row) && (change.change === 'added' || removed.has(rangeText(row)));
  const rows = [...facts.products, ...givenRows];
  const restored = gone
    .filter((range) => !CUT_RANGES.test(range))
    .map((range) => productOfRange(field, range, rows, facts.source === 'nvd'));
  const first = facts.products.findIndex(isOfProduct);
  const kept = facts.products.filter((row) => !isRemoved(row));
  kept.splice(first === -1 ? kept.length : first, 0, ...restored);
  facts.products = kept;
  const isCut = [...gone, ...(change.change === 'added' ? [] : added)].some((range) => CUT_RANGES.test(range));
  return isCut ? [field] : [];
}

/** Null where one of the points is not known. When it was assessed is not recorded. */
function toSsvc({
  exploitation,
  automatable,
  technical_impact,
  source,
}: Partial<Record<string, unknown>>): SsvcAssessment | null {
  if (exploitation == null || automatable == null || technical_impact == null) return null;
  return {
    ...({ exploitation, automatable, technical_impact } as Pick<
      SsvcAssessment,
      'exploitation' | 'automatable' | 'technical_impact'
    >),
    source: typeof source === 'string' ? source : 'CISA-ADP',
    at: null,
  };
}

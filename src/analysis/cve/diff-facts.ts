import type { CveFacts, CveProduct, CveReference, CvssAssessment } from './cve-facts.ts';
import { type ChangedValue, type FieldChange, fieldChange } from './field-change.ts';
import type { FixFinding } from './patch-reference.ts';
import { productName, rangeText } from './product-range-text.ts';

/** What stands for the ranges of a change that are cut. */
export const CUT_RANGES = /^and \d+ more$/;
/** Ranges of one product in a change; what is cut is counted. */
const MAX_RANGES = 20;
/** Tags of references that are recorded. */
const REFERENCE_KINDS = ['patch', 'exploit'] as const;
const SSVC_FIELDS = ['exploitation', 'automatable', 'technical_impact'] as const;

export type ComparedFacts = CveFacts & FixFinding;

/**
 * What changed between two versions of one source's record of a CVE, by field: status, tags, scores by scorer and CVSS version,
 * weaknesses by source, vulnerable products and their ranges, references tagged as patch or exploit, SSVC, and the fix that is derived
 * from them. Title, description, other references, platforms and the applicability tree are not compared. Order says nothing.
 */
export function diffFacts(before: ComparedFacts, after: ComparedFacts): FieldChange[] {
  const at = after.modified;
  const lists = (kind: FieldChange['kind'], entriesOf: (facts: ComparedFacts) => Iterable<[string, string]>) =>
    diffLists(kind, at, grouped(entriesOf(before)), grouped(entriesOf(after)));
  return [
    fieldChange('status', at, 'status', before.status, after.status),
    fieldChange('status', at, 'tags', sortedOrNull(before.tags), sortedOrNull(after.tags)),
    ...diffScores(at, before.metrics, after.metrics),
    ...lists('weakness', ({ weaknesses }) => weaknesses.map(({ cwe_id, source }) => [source, cwe_id])),
    ...diffProducts(at, before.products, after.products),
    ...lists('reference', ({ references }) => references.flatMap(weightyReferences)),
    ...diffSsvc(at, before.ssvc, after.ssvc),
    // What GitHub's advisories say of fixed versions is compared by package.
    ...(after.source === 'ghsa' ? [] : diffFix(at, before, after)),
  ].filter((change) => change !== null);
}

/** `https://… ` under `patch` and `exploit`, whichever way the source writes the tag. */
function weightyReferences({ url, tags }: CveReference): [string, string][] {
  const lower = tags.map((tag) => tag.toLowerCase());
  return REFERENCE_KINDS.filter((kind) => lower.includes(kind)).map((kind) => [kind, url]);
}

function diffSsvc(at: string | null, before: CveFacts['ssvc'], after: CveFacts['ssvc']): (FieldChange | null)[] {
  const when = after?.at ?? at;
  return SSVC_FIELDS.map((field) => fieldChange('ssvc', when, field, before?.[field] ?? null, after?.[field] ?? null));
}

function diffFix(at: string | null, before: FixFinding, after: FixFinding): (FieldChange | null)[] {
  return [
    fieldChange('fix', at, 'patch_available', before.patch_available, after.patch_available),
    fieldChange('fix', at, 'versions', sortedOrNull(before.fix.versions), sortedOrNull(after.fix.versions)),
  ];
}

/** Of several scores of one scorer and CVSS version, the first one that is gone became the first one that is new. */
function diffScores(
  at: string | null,
  before: readonly CvssAssessment[],
  after: readonly CvssAssessment[],
): (FieldChange | null)[] {
  const entry = (metric: CvssAssessment): [string, string] => [
    `${metric.scorer} CVSS ${metric.version}`,
    JSON.stringify({ score: metric.base_score, severity: metric.base_severity, vector: metric.vector }),
  ];
  const [old, now] = [grouped(before.map(entry)), grouped(after.map(entry))];
  return namesOf(old, now).flatMap((field) => {
    const gone = missing(old.get(field), now.get(field));
    const added = missing(now.get(field), old.get(field));
    return Array.from({ length: Math.max(gone.length, added.length) }, (_, index) =>
      fieldChange('score', at, field, parsed(gone[index]), parsed(added[index])),
    );
  });
}

/** A change for each product: the ranges that are gone, and those that are new. */
function diffProducts(
  at: string | null,
  before: readonly CveProduct[],
  after: readonly CveProduct[],
): (FieldChange | null)[] {
  const [old, now] = [rangesByProduct(before), rangesByProduct(after)];
  return namesOf(old, now).flatMap((field) => {
    const [was, is] = [old.get(field), now.get(field)];
    const gone = missing(was, is);
    const added = missing(is, was);
    if (gone.length === 0 && added.length === 0) return [];
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    return { kind: 'product', change, at, field, before: cut(gone), after: cut(added) } satisfies FieldChange;
  });
}

function rangesByProduct(products: readonly CveProduct[]): Map<string, Set<string>> {
  return grouped(products.filter(({ vulnerable }) => vulnerable).map((row) => [productName(row), rangeText(row)]));
}

function diffLists(
  kind: FieldChange['kind'],
  at: string | null,
  before: Map<string, Set<string>>,
  after: Map<string, Set<string>>,
): FieldChange[] {
  return namesOf(before, after).flatMap((field): FieldChange[] => [
    ...missing(before.get(field), after.get(field)).map(
      (value): FieldChange => ({ kind, change: 'removed', at, field, before: value, after: null }),
    ),
    ...missing(after.get(field), before.get(field)).map(
      (value): FieldChange => ({ kind, change: 'added', at, field, before: null, after: value }),
    ),
  ]);
}

function grouped(entries: Iterable<[string, string]>): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const [name, value] of entries) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, new Set([value]));
    else group.add(value);
  }
  return groups;
}

function namesOf(before: Map<string, unknown>, after: Map<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])];
}

/** Values of `all` that `others` does not have. */
function missing(all: ReadonlySet<string> | undefined, others: ReadonlySet<string> | undefined): string[] {
  return all === undefined ? [] : [...all].filter((value) => others?.has(value) !== true);
}

function cut(ranges: readonly string[]): readonly string[] | null {
  if (ranges.length === 0) return null;
  const rest = ranges.length - MAX_RANGES;
  return rest > 0 ? [...ranges.slice(0, MAX_RANGES), `and ${rest} more`] : ranges;
}

function sortedOrNull(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values.toSorted();
}

function parsed(json: string | undefined): ChangedValue {
  return json === undefined ? null : (JSON.parse(json) as ChangedValue);
}

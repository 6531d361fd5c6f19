import type {
  CpeConfiguration,
  CveFacts,
  RecordSource,
  CveReference,
  CveWeakness,
  SsvcAssessment,
} from './cve-facts.ts';
import { type MergedProduct, mergeProducts } from './merge-products.ts';
import { NVD_SCORER, type SourcedAssessment } from './select-severity.ts';
import { newestSsvc } from './ssvc-assessment.ts';

/** The first source that has a value for a field decides. */
const SOURCE_PRECEDENCE: readonly RecordSource[] = ['nvd', 'cvelist', 'ghsa', 'starter'];

/** NVD statuses of CVEs that it has not analysed. */
const NVD_UNANALYSED_STATUSES: ReadonlySet<string> = new Set([
  'Received',
  'Awaiting Analysis',
  'Undergoing Analysis',
  'Deferred',
]);

/** One CVE, merged from the records of all sources. */
export interface MergedCve {
  cve_id: string;
  /** Record sources, by precedence. */
  sources: RecordSource[];
  /** Status as written by the source that rejected it, else by the leading source. */
  status: string;
  rejected: boolean;
  published: string | null;
  /** By the leading source that has one; of a rejected CVE the newest of all sources. */
  modified: string | null;
  title: string | null;
  description: string | null;
  description_source: RecordSource | null;
  assigner: string | null;
  tags: string[];
  metrics: SourcedAssessment[];
  /** The newest of all sources. */
  ssvc: SsvcAssessment | null;
  weaknesses: CveWeakness[];
  references: CveReference[];
  /** The leading source's rows come first and unchanged. */
  products: MergedProduct[];
  /** Of the NVD, pointing into `products`; [] where it gave none. */
  configurations: CpeConfiguration[];
  /** The source that published first, and when. */
  first_seen: { source: RecordSource; at: string } | null;
  /** An advisory source has it, and the NVD does not have it or has not analysed it. */
  leading: boolean;
}

/** Merges the records of one CVE. `facts`: at least one, each source at most once. Throws `RangeError` for an empty list. */
export function mergeCve(facts: readonly CveFacts[]): MergedCve {
  const ordered =
    facts.length === 1 ? facts : facts.toSorted((a, b) => precedenceOf(a.source) - precedenceOf(b.source));
  const lead = ordered[0];
  if (lead === undefined) throw new RangeError('mergeCve needs the facts of at least one source');
  const published = firstNonNull(ordered, 'published');
  // A withdrawn advisory does not reject a CVE that still has a CVE record.
  const rejecting = ordered.find((entry) => entry.rejected && (entry.source !== 'ghsa' || ordered.length === 1));
  const described = [rejecting, ...ordered].find((entry) => entry !== undefined && entry.description !== null);
  return {
    cve_id: lead.cve_id,
    sources: ordered.map((entry) => entry.source),
    status: (rejecting ?? lead).status,
    rejected: rejecting !== undefined,
    published,
    modified: rejecting === undefined ? firstNonNull(ordered, 'modified') : newestModified(ordered),
    title: firstNonNull(ordered, 'title'),
    description: described?.description ?? null,
    description_source: described?.source ?? null,
    assigner: firstNonNull(ordered, 'assigner'),
    tags: ordered.length === 1 ? lead.tags : [...new Set(ordered.flatMap((entry) => entry.tags))],
    metrics: ordered.length === 1 ? sourcedMetrics(lead) : ordered.flatMap(sourcedMetrics),
    ssvc: newestSsvc(ordered.map((entry) => entry.ssvc)),
    weaknesses: ordered.length === 1 ? lead.weaknesses : mergeWeaknesses(ordered),
    references: ordered.length === 1 ? lead.references : mergeReferences(ordered),
    products: mergeProducts(ordered),
    configurations: lead.configurations,
    first_seen: firstSeen(ordered),
    leading: isLeading(ordered),
  };
}

/** Written out: an object that is put together from another takes several times as long. */
function sourcedMetrics({ metrics, source }: CveFacts): SourcedAssessment[] {
  return metrics.map(({ version, vector, base_score, base_severity, scorer, primary }) => ({
    version,
    vector,
    base_score,
    base_severity,
    scorer,
    primary,
    source,
  }));
}

function precedenceOf(source: RecordSource): number {
  return SOURCE_PRECEDENCE.indexOf(source);
}

function firstNonNull(
  facts: readonly CveFacts[],
  field: 'published' | 'modified' | 'title' | 'assigner',
): string | null {
  for (const entry of facts) if (entry[field] !== null) return entry[field];
  return null;
}

/** ISO 8601 dates in UTC, with or without a time, are in order when compared as text. */
function newestModified(facts: readonly CveFacts[]): string | null {
  return facts.reduce<string | null>(
    (latest, { modified }) => (modified !== null && (latest === null || modified > latest) ? modified : latest),
    null,
  );
}

function mergeWeaknesses(facts: readonly CveFacts[]): CveWeakness[] {
  const merged: CveWeakness[] = [];
  for (const weakness of facts.flatMap((entry) => entry.weaknesses)) {
    if (!merged.some((known) => known.cwe_id === weakness.cwe_id && known.source === weakness.source))
      merged.push(weakness);
  }
  return merged;
}

/** A URL in two sources is one reference with the tags of both. */
function mergeReferences(facts: readonly CveFacts[]): CveReference[] {
  const byUrl = new Map<string, CveReference>();
  for (const reference of facts.flatMap((entry) => entry.references)) {
    const known = byUrl.get(reference.url);
    if (known === undefined) byUrl.set(reference.url, reference);
    else if (reference.tags.length > 0) {
      byUrl.set(reference.url, { ...known, tags: [...new Set([...known.tags, ...reference.tags])] });
    }
  }
  return [...byUrl.values()];
}

function firstSeen(facts: readonly CveFacts[]): MergedCve['first_seen'] {
  let first: MergedCve['first_seen'] = null;
  for (const { source, published } of facts) {
    if (published !== null && (first === null || published < first.at)) first = { source, at: published };
  }
  return first;
}

/**
 * Whether a record is the NVD's and it has neither scored it nor said what it affects: a record keeps both when its status goes
 * back ("Deferred"). Products outside `configurations` (how many there are) are the CNA's words, which the NVD repeats.
 */
export function awaitsNvd(
  { source, status, metrics }: Pick<CveFacts, 'source' | 'status' | 'metrics'>,
  configurations: number,
): boolean {
  if (source !== 'nvd' || !NVD_UNANALYSED_STATUSES.has(status)) return false;
  return configurations === 0 && !metrics.some(({ scorer }) => scorer === NVD_SCORER);
}

function isLeading(facts: readonly CveFacts[]): boolean {
  const nvd = facts.find((entry) => entry.source === 'nvd');
  const advisory = facts.some((entry) => entry.source === 'cvelist' || entry.source === 'ghsa');
  return advisory && (nvd === undefined || awaitsNvd(nvd, nvd.configurations.length));
}

import type {
  CpeConfiguration,
  CveFacts,
  CvssAssessment,
  CveProduct,
  CveWeakness,
  SsvcAssessment,
} from '../../analysis/cve/cve-facts.ts';
import { organizationShortName } from '../../analysis/cve/organization-short-name.ts';
import { withoutRepeatedProducts } from '../../analysis/cve/merge-products.ts';
import { newestSsvc, parseSsvcOptions } from '../../analysis/cve/ssvc-assessment.ts';
import type { CvssVersion } from '../../analysis/cvss/metrics.ts';
import { parseSeverity } from '../../analysis/severity.ts';
import { cleanText } from '../../analysis/display-text.ts';
import { CWE_ID, cveProduct, mergeReferences } from '../cve-fields.ts';
import { affectedProducts } from '../cvelist/products.ts';
import { AffectedEntry } from '../cvelist/schema.ts';
import { canonicalCveId, parseUtcTime } from '../fields.ts';

/** The fields that are read of an NVD API 2.0 `cve` object. All may be missing, because the feed is foreign input. */
interface NvdCve {
  id?: unknown;
  sourceIdentifier?: string;
  published?: string;
  lastModified?: string;
  vulnStatus?: string;
  cveTags?: { tags?: string[] }[];
  descriptions?: { lang?: string; value?: string }[];
  metrics?: Record<string, NvdMetric[] | undefined> & { ssvcV203?: NvdSsvc[] };
  weaknesses?: { source?: string; description?: { value?: string }[] }[];
  configurations?: NvdConfiguration[];
  /** Since 2026: the entries `affected` of the CVE record, by who wrote them. */
  affected?: { source?: string; affectedData?: unknown[] }[];
  references?: { url?: string; source?: string; tags?: string[] }[];
}

interface NvdMetric {
  source?: string;
  type?: string;
  baseSeverity?: string;
  cvssData?: { version?: string; vectorString?: string; baseScore?: number; baseSeverity?: string };
}

interface NvdSsvc {
  source?: string;
  ssvcData?: { timestamp?: string; options?: unknown };
}

interface NvdConfiguration {
  operator?: string;
  negate?: boolean;
  nodes?: { operator?: string; negate?: boolean; cpeMatch?: NvdCpeMatch[] }[];
}

interface NvdCpeMatch {
  vulnerable?: boolean;
  criteria?: string;
  versionStartIncluding?: string;
  versionStartExcluding?: string;
  versionEndIncluding?: string;
  versionEndExcluding?: string;
}

const METRIC_LISTS = ['cvssMetricV40', 'cvssMetricV31', 'cvssMetricV30', 'cvssMetricV2'] as const;
const VERSIONS: ReadonlySet<string> = new Set(['2.0', '3.0', '3.1', '4.0']);
const NVD_SOURCE = 'nvd@nist.gov';

/**
 * One element of an NVD JSON 2.0 feed (`{"cve": {…}}`; schema cve_api_json_2.0) as facts.
 * Throws an `Error` with the reason if it is not a CVE record.
 */
export function factsOfNvdRecord(element: unknown): CveFacts {
  const cve = (element as { cve?: NvdCve } | null)?.cve;
  if (typeof cve !== 'object' || cve === null) throw new Error('no "cve" object');
  const cveId = typeof cve.id === 'string' ? canonicalCveId(cve.id) : null;
  if (cveId === null) throw new Error('no CVE id');
  const description = englishText(cve.descriptions ?? []);
  const applicability = sortByRelevance(parseApplicability(cve.configurations ?? []), description);
  const status = optionalText(cve.vulnStatus) ?? 'Unknown';
  return {
    cve_id: cveId,
    source: 'nvd',
    status,
    rejected: status === 'Rejected',
    published: parseUtcTime(cve.published),
    modified: parseUtcTime(cve.lastModified),
    title: null,
    description,
    assigner: optionalText(cve.sourceIdentifier),
    tags: (cve.cveTags ?? []).flatMap((entry) => optionalTexts(entry.tags)),
    metrics: METRIC_LISTS.flatMap((list) => (cve.metrics?.[list] ?? []).flatMap(parseMetric)),
    ssvc: newestSsvc((cve.metrics?.ssvcV203 ?? []).map(parseSsvc)),
    weaknesses: parseWeaknesses(cve.weaknesses ?? []),
    references: mergeReferences(
      (cve.references ?? []).map(({ url = '', source, tags }) => ({
        url,
        tags: optionalTexts(tags),
        source: optionalText(source),
      })),
    ),
    // Configurations refer to products by index: what the CNA names comes after them.
    products: withCnaProducts(applicability.products, cve.affected ?? []),
    configurations: applicability.configurations,
  };
}

/** Adds what the CNA and the ADPs name, in the form of a CVE record. An entry of another form is left out. */
function withCnaProducts(own: CveProduct[], affected: NonNullable<NvdCve['affected']>): CveProduct[] {
  if (affected.length === 0) return own;
  const entries = affected
    .flatMap(({ affectedData }) => affectedData ?? [])
    .map((entry) => AffectedEntry.safeParse(entry))
    .filter((entry) => entry.success);
  const named = affectedProducts(entries.map(({ data }) => data));
  return withoutRepeatedProducts([...own, ...named], own.length);
}

function englishText(descriptions: { lang?: string; value?: string }[]): string | null {
  const found = descriptions.find((description) => description.lang?.startsWith('en'));
  const text = optionalText(found?.value);
  return text === null ? null : cleanText(text);
}

function parseMetric(metric: NvdMetric): CvssAssessment[] {
  const data = metric.cvssData;
  const vector = optionalText(data?.vectorString);
  if (data == null || vector === null || !VERSIONS.has(data.version ?? '')) return [];
  return [
    {
      version: data.version as CvssVersion,
      vector,
      base_score: optionalScore(data.baseScore),
      base_severity: parseSeverity(data.baseSeverity ?? metric.baseSeverity),
      scorer: optionalText(metric.source) ?? 'unknown',
      primary: metric.type === 'Primary',
    },
  ];
}

function parseSsvc({ source, ssvcData }: NvdSsvc): SsvcAssessment | null {
  const author = organizationShortName(optionalText(source) ?? 'unknown');
  return parseSsvcOptions(ssvcData?.options, author, parseUtcTime(optionalText(ssvcData?.timestamp)));
}

function parseWeaknesses(entries: NonNullable<NvdCve['weaknesses']>): CveWeakness[] {
  const found: CveWeakness[] = [];
  for (const entry of entries) {
    for (const { value } of entry.description ?? []) {
      if (value === undefined || !CWE_ID.test(value)) continue;
      const source = optionalText(entry.source) ?? 'unknown';
      if (!found.some((known) => known.cwe_id === value && known.source === source))
        found.push({ cwe_id: value, source });
    }
  }
  return found.toSorted((a, b) => Number(b.source === NVD_SOURCE) - Number(a.source === NVD_SOURCE));
}

interface Applicability {
  products: CveProduct[];
  configurations: CpeConfiguration[];
}

/**
 * Answers show the first rows, so products that the description names come first, then other vulnerable ones, then platforms.
 * Example: Log4Shell has 398 rows, of which the first in the feed are firmware of industrial devices.
 */
function sortByRelevance({ products, configurations }: Applicability, description: string | null): Applicability {
  if (products.length < 2) return { products, configurations };
  const text = (description ?? '').toLowerCase();
  const ranks = products.map(({ cpe, vulnerable }) => {
    const name = (cpe ?? '').split(':', 5)[4] ?? '';
    return !vulnerable ? 2 : text.includes(name.replaceAll('_', ' ')) ? 0 : 1;
  });
  const order = [...products.keys()].sort((a, b) => ranks[a]! - ranks[b]! || a - b);
  const placeOf = new Map(order.map((index, place) => [index, place]));
  return {
    products: order.map((index) => products[index]!),
    configurations: configurations.map((configuration) => ({
      ...configuration,
      nodes: configuration.nodes.map((node) => ({
        ...node,
        products: node.products.map((index) => placeOf.get(index)!),
      })),
    })),
  };
}

/** Makes a product of each distinct match; nodes refer to products by index. */
function parseApplicability(entries: NvdConfiguration[]): Applicability {
  const products: CveProduct[] = [];
  const indexOf = new Map<string, number>();
  const indexesOf = (match: NvdCpeMatch): number[] => {
    const criteria = optionalText(match.criteria);
    if (criteria === null) return [];
    const vulnerable = match.vulnerable !== false;
    const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = match;
    const key = `${vulnerable ? 1 : 0}${match.criteria}\n${versionStartIncluding}\n${versionStartExcluding}\n${versionEndIncluding}\n${versionEndExcluding}`;
    let index = indexOf.get(key);
    if (index === undefined) {
      index = products.length;
      indexOf.set(key, index);
      products.push(
        cveProduct({
          cpe: criteria,
          vulnerable,
          start_including: optionalText(versionStartIncluding),
          start_excluding: optionalText(versionStartExcluding),
          end_including: optionalText(versionEndIncluding),
          end_excluding: optionalText(versionEndExcluding),
        }),
      );
    }
    return [index];
  };
  const configurations = entries.map(
    (configuration): CpeConfiguration => ({
      operator: configuration.operator === 'AND' ? 'AND' : 'OR',
      negate: configuration.negate === true,
      nodes: (configuration.nodes ?? []).map((node) => ({
        operator: node.operator === 'AND' ? 'AND' : 'OR',
        negate: node.negate === true,
        products: (node.cpeMatch ?? []).flatMap(indexesOf),
      })),
    }),
  );
  return { products, configurations };
}

/** Null if the field is missing; throws if it is not a text. */
function optionalText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new Error('a field that should be a text is not');
  return value;
}

function optionalTexts(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error('a field that should be a list is not');
  return value.map((item) => {
    const found = optionalText(item);
    if (found === null) throw new Error('a list of texts holds a null');
    return found;
  });
}

function optionalScore(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !(value >= 0 && value <= 10))
    throw new Error('a score that is not a number from 0 to 10');
  return value;
}

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type {
  CpeConfiguration,
  CpeConfigurationNode,
  CveFacts,
  CvssAssessment,
  CveProduct,
  RecordSource,
  CveReference,
  CveWeakness,
  SsvcAssessment,
} from '../analysis/cve/cve-facts.ts';
import type { AffectedFacts } from '../analysis/affected/match-record.ts';
import { parseCpe } from '../analysis/cve/cpe.ts';
import { assessReferences, type FixFinding } from '../analysis/cve/patch-reference.ts';

/**
 * How a CVE record is stored. The `head` is enough for most answers: it has all fields, but only the first references and
 * products. The rest of these lists and the applicability tree are the `body`, which is read on demand and compressed if long.
 * Rows are arrays, not objects: a third of the bytes, and half the time to parse.
 */
export const MAX_HEAD_REFERENCES = 10;
export const MAX_HEAD_PRODUCTS = 20;
const COMPRESS_FROM_BYTES = 2048;

type MetricRow = [CvssAssessment['version'], string, number | null, CvssAssessment['base_severity'], string, 0 | 1];
type SsvcRow = [
  SsvcAssessment['exploitation'],
  SsvcAssessment['automatable'],
  SsvcAssessment['technical_impact'],
  string,
  string | null,
];
type ReferenceRow = [url: string, tags: string[], source: string | null];
/** `[vulnerable, cpe, start_including, start_excluding, end_including, end_excluding, vendor, product, version, ecosystem]`, cut after the last known. */
type ProductRow = [0 | 1, ...(string | null)[]];

interface Head {
  st: string;
  rj: 0 | 1;
  pu: string | null;
  mo: string | null;
  ti: string | null;
  de: string | null;
  as: string | null;
  tg: string[];
  me: MetricRow[];
  /** Absent where no assessment is known. */
  ss?: SsvcRow;
  we: [string, string][];
  re: ReferenceRow[];
  pr: ProductRow[];
  /** Counts of all references and products. */
  nr: number;
  np: number;
  /** 1 where a vulnerable product has versions. */
  vn?: 1;
  /** Number of configurations; absent where there are none. */
  nc?: number;
  /** Patch available, then kind, address and versions of the fix; absent where nothing is known. */
  fx?: [boolean | null, FixFinding['fix']['kind'], string | null, ...string[]];
}

interface Body {
  re: ReferenceRow[];
  pr: ProductRow[];
  co: [0 | 1, 0 | 1, [0 | 1, 0 | 1, number[]][]][];
}

/** The facts in a head, with the counts of the complete lists and the fix found in them. */
export interface HeadFacts extends CveFacts, FixFinding {
  total_references: number;
  total_products: number;
  total_configurations: number;
  /** Whether any vulnerable product has a version or a range. */
  names_versions: boolean;
}

/** A record as the texts and bytes that are stored, its references in order; `body` is null if the head holds everything. */
export function encodeRecord(facts: CveFacts): { head: string; body: Uint8Array | null } {
  const products = facts.products.map(encodeProduct);
  const { references: ordered, ...fix } = assessReferences(facts);
  const references = ordered.map(({ url, tags, source }): ReferenceRow => [url, tags, source]);
  const head: Head = {
    st: facts.status,
    rj: facts.rejected ? 1 : 0,
    pu: facts.published,
    mo: facts.modified,
    ti: facts.title,
    de: facts.description,
    as: facts.assigner,
    tg: facts.tags,
    me: facts.metrics.map(
      (metric): MetricRow => [
        metric.version,
        metric.vector,
        metric.base_score,
        metric.base_severity,
        metric.scorer,
        metric.primary ? 1 : 0,
      ],
    ),
    ...(facts.ssvc === null ? {} : { ss: encodeSsvc(facts.ssvc) }),
    we: facts.weaknesses.map(({ cwe_id, source }) => [cwe_id, source]),
    re: references.slice(0, MAX_HEAD_REFERENCES),
    pr: products.slice(0, MAX_HEAD_PRODUCTS),
    nr: references.length,
    np: products.length,
    ...(facts.products.some(namesVersion) ? { vn: 1 as const } : {}),
    ...(facts.configurations.length === 0 ? {} : { nc: facts.configurations.length }),
    ...encodeFix(fix),
  };
  return {
    head: JSON.stringify(head),
    body: encodeBody({
      re: references.slice(MAX_HEAD_REFERENCES),
      pr: products.slice(MAX_HEAD_PRODUCTS),
      co: facts.configurations.map(({ operator, negate, nodes }) => [
        operator === 'AND' ? 1 : 0,
        negate ? 1 : 0,
        nodes.map((node) => [node.operator === 'AND' ? 1 : 0, node.negate ? 1 : 0, node.products]),
      ]),
    }),
  };
}

/** The facts of a record; without a body the lists are those of the head and `configurations` is []. */
export function decodeRecord(
  cveId: string,
  source: RecordSource,
  headJson: string,
  encodedBody: Uint8Array | null,
): HeadFacts {
  const head = JSON.parse(headJson) as Head;
  const body = encodedBody === null ? null : decodeBody(encodedBody);
  const facts = outlineOf(cveId, source, head);
  facts.references = (body === null ? head.re : [...head.re, ...body.re]).map(
    ([url, tags, source]): CveReference => ({ url, tags, source }),
  );
  facts.products = (body === null ? head.pr : [...head.pr, ...body.pr]).map(decodeProduct);
  facts.configurations = body === null ? [] : body.co.map(decodeConfiguration);
  return facts;
}

const PRODUCTS_KEY = ',"pr":';
const AFTER_PRODUCTS = ',"nr":';

/** Products and configurations alone: the rest of the head, some nine tenths of it, is not parsed. */
export function decodeAffectedFacts(
  source: RecordSource,
  headJson: string,
  encodedBody: Uint8Array | null,
): AffectedFacts {
  // In a JSON string every quote is escaped, so that these keys occur only as keys.
  const start = headJson.lastIndexOf(PRODUCTS_KEY) + PRODUCTS_KEY.length;
  const rows = JSON.parse(headJson.slice(start, headJson.lastIndexOf(AFTER_PRODUCTS))) as ProductRow[];
  const body = encodedBody === null ? null : decodeBody(encodedBody);
  return {
    source,
    products: (body === null ? rows : [...rows, ...body.pr]).map(decodeProduct),
    configurations: body === null ? [] : body.co.map(decodeConfiguration),
  };
}

/** The facts without references and products: enough for severity and search. */
export function decodeOutline(cveId: string, source: RecordSource, headJson: string): HeadFacts {
  return outlineOf(cveId, source, JSON.parse(headJson) as Head);
}

function outlineOf(cveId: string, source: RecordSource, head: Head): HeadFacts {
  return {
    cve_id: cveId,
    source,
    status: head.st,
    rejected: head.rj === 1,
    published: head.pu,
    modified: head.mo,
    title: head.ti,
    description: head.de,
    assigner: head.as,
    tags: head.tg,
    metrics: head.me.map(
      ([version, vector, base_score, base_severity, scorer, primary]): CvssAssessment => ({
        version,
        vector,
        base_score,
        base_severity,
        scorer,
        primary: primary === 1,
      }),
    ),
    ssvc: head.ss === undefined ? null : decodeSsvc(head.ss),
    weaknesses: head.we.map(([cwe_id, source]): CveWeakness => ({ cwe_id, source })),
    references: [],
    products: [],
    configurations: [],
    total_references: head.nr,
    total_products: head.np,
    total_configurations: head.nc ?? 0,
    names_versions: head.vn === 1,
    ...decodeFix(head.fx),
  };
}

function namesVersion({ vulnerable, cpe, version, ...range }: CveProduct): boolean {
  if (!vulnerable) return false;
  if (
    version !== null ||
    (range.start_including ?? range.start_excluding ?? range.end_including ?? range.end_excluding) !== null
  )
    return true;
  const ofCpe = cpe === null ? null : (parseCpe(cpe)?.version ?? null);
  return ofCpe !== null && ofCpe !== '-';
}

function encodeFix({ patch_available, fix }: FixFinding): Pick<Head, 'fx'> {
  if (patch_available === null && fix.kind === 'none_known') return {};
  return { fx: [patch_available, fix.kind, fix.url, ...fix.versions] };
}

function decodeFix(fx: Head['fx']): FixFinding {
  const [patch_available, kind, url, ...versions] = fx ?? [null, 'none_known' as const, null];
  return { patch_available, fix: { kind, url, versions } };
}

function encodeSsvc({ exploitation, automatable, technical_impact, source, at }: SsvcAssessment): SsvcRow {
  return [exploitation, automatable, technical_impact, source, at];
}

function decodeSsvc([exploitation, automatable, technical_impact, source, at]: SsvcRow): SsvcAssessment {
  return { exploitation, automatable, technical_impact, source, at };
}

function encodeProduct(product: CveProduct): ProductRow {
  const { cpe, start_including, start_excluding, end_including, end_excluding, vendor, version, ecosystem } = product;
  const row: ProductRow = [
    product.vulnerable ? 1 : 0,
    cpe,
    start_including,
    start_excluding,
    end_including,
    end_excluding,
    vendor,
    product.product,
    version,
    ecosystem,
  ];
  while (row.length > 1 && row.at(-1) === null) row.pop();
  return row;
}

function decodeProduct(row: ProductRow): CveProduct {
  const text = (at: number): string | null => (row[at] as string | null | undefined) ?? null;
  return {
    vulnerable: row[0] === 1,
    cpe: text(1),
    start_including: text(2),
    start_excluding: text(3),
    end_including: text(4),
    end_excluding: text(5),
    vendor: text(6),
    product: text(7),
    version: text(8),
    ecosystem: text(9),
  };
}

function decodeConfiguration([and, negate, nodes]: Body['co'][number]): CpeConfiguration {
  return {
    operator: and === 1 ? 'AND' : 'OR',
    negate: negate === 1,
    nodes: nodes.map(
      ([nodeAnd, nodeNegate, products]): CpeConfigurationNode => ({
        operator: nodeAnd === 1 ? 'AND' : 'OR',
        negate: nodeNegate === 1,
        products,
      }),
    ),
  };
}

/** JSON, compressed if it is long. The first byte tells which: JSON begins with `[`, zstd's magic number does not. */
function encodeBody(body: Body): Uint8Array | null {
  if (body.re.length === 0 && body.pr.length === 0 && body.co.length === 0) return null;
  const plain = Buffer.from(JSON.stringify([body.re, body.pr, body.co]));
  if (plain.length < COMPRESS_FROM_BYTES) return plain;
  return zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

function decodeBody(encoded: Uint8Array): Body {
  const plain =
    encoded[0] === 0x5b ? Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length) : zstdDecompressSync(encoded);
  const [re, pr, co] = JSON.parse(plain.toString()) as [Body['re'], Body['pr'], Body['co']];
  return { re, pr, co };
}

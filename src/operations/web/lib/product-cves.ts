import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import { type Subject, subjectOfProduct } from '../../../analysis/affected/subject.ts';
import { displayText } from '../../../analysis/display-text.ts';
import { type DetectedTechnology, isExactVersion } from '../../../analysis/tech/detect-technologies.ts';
import { type CveRiskSummary, loadCveRiskSummary } from '../../cve/lib/cve-risk-summary.ts';
import { findAffected } from '../../cve/lib/find-affected.ts';
import { findUpdateTargets, type UpdateTargets } from '../../cve/lib/find-update-targets.ts';
import type { ProductName } from '../../../catalog/identities.ts';
import type { Support } from '../../../analysis/support/find-support.ts';
import { lookUpSupport } from '../../../engine/product-support.ts';
import type { Context } from '../../../engine/context.ts';
import { formatCount } from '../../../engine/summary.ts';

export interface ProductCves {
  technology: string;
  /** Null: unknown, or not an exact release. */
  version: string | null;
  version_unknown: boolean;
  /** CVEs of the detected version; of any version of the product where it is unknown. */
  cve_count: number;
  /** Riskiest first. */
  cves: CveRiskSummary[];
  support: Support | null;
  /** CVEs that name the product, where it cannot be told whether they affect the version; the likeliest exploited first. */
  undecided_count: number;
  undecided: UndecidedCve[];
  /** The smallest version that ends all CVEs of the version that have a known fix. Null: none is known, or the version is unknown. */
  update: { version: string; fixes: number; still_affected: number } | null;
}

interface UndecidedCve {
  cve_id: string;
  reason: string;
}

type ProductCvesDeps = Pick<Context, 'catalog' | 'evidence' | 'now' | 'signal'>;
type DetectedProduct = DetectedTechnology & { cpe: NonNullable<DetectedTechnology['cpe']> };
const MAX_SHOWN_WITHOUT_VERSION = 5;
const MAX_SHOWN_UNDECIDED = 5;
/** Candidates ranked for a product without a version, per query (likeliest exploited, known exploited). */
const MAX_RANKED_CVES = 50;
const MAX_PRODUCTS = 30;
const MAX_VERSION_CHARACTERS = 100;

/** Technologies with a CPE name, those with an exact version first. */
export function productsWithCpe(found: readonly DetectedTechnology[]): DetectedProduct[] {
  // What is of another host is not the site's to mend.
  const named = found.filter((one): one is DetectedProduct => one.cpe !== null && one.party === 'first');
  const exact = named.filter(({ name, version }) => isExactVersion(name, version));
  return [...exact, ...named.filter((one) => !exact.includes(one))];
}

/**
 * The CVEs of each product, riskiest product first: with an exact version the CVEs whose ranges include it (at most `limit` are
 * listed), without one the five riskiest. Products without CVEs are left out; `lookedUp` has them.
 */
export async function findProductCves(
  products: readonly DetectedProduct[],
  limit: number,
  deps: ProductCvesDeps,
): Promise<{ rows: ProductCves[]; lookedUp: readonly DetectedProduct[] }> {
  if (products.length > MAX_PRODUCTS)
    deps.evidence.addGap(`${MAX_PRODUCTS} of ${products.length} products were looked up`);
  const rows: ProductCves[] = [];
  const lookedUp: DetectedProduct[] = [];
  for (const [index, product] of products.slice(0, MAX_PRODUCTS).entries()) {
    if (deps.signal.aborted) {
      deps.evidence.addGap(`the time was enough for ${index} of ${formatCount(products.length, 'product')}`);
      break;
    }
    lookedUp.push(product);
    const { name, version, cpe } = product;
    const row = isExactVersion(name, version)
      ? await cvesOfVersion(product, subjectOfProduct(cpe.product, cpe.vendor, version), limit, deps)
      : cvesOfAnyVersion(product, deps);
    if (row.cve_count > 0 || row.undecided_count > 0) rows.push(row);
  }
  // Confirmed versions first.
  rows.sort(
    (a, b) =>
      Number(a.version_unknown) - Number(b.version_unknown) || (b.cves[0]?.risk ?? -1) - (a.cves[0]?.risk ?? -1),
  );
  return { rows, lookedUp };
}

/** By the judgement that `affected_check` makes, under all names of the product. */
async function cvesOfVersion(
  { name, version, cpe }: DetectedProduct,
  subject: Subject,
  limit: number,
  deps: ProductCvesDeps,
): Promise<ProductCves> {
  const { catalog, now } = deps;
  const judgement = await findAffected(subject, null, deps);
  const affected = judgement.cves.filter(({ status }) => status === 'affected');
  const undecided = judgement.cves.filter(({ status }) => status === 'unknown');
  return {
    technology: name,
    version,
    version_unknown: false,
    cve_count: affected.length,
    cves: riskiest(
      affected.map(({ cve_id }) => loadCveRiskSummary(cve_id, catalog, now)),
      limit,
    ),
    undecided_count: undecided.length,
    undecided: undecided.slice(0, MAX_SHOWN_UNDECIDED).map(({ cve_id, reason }) => ({ cve_id, reason })),
    support: supportOfTechnology({ version, cpe }, deps),
    update: updateOf(await findUpdateTargets(judgement, subject)),
  };
}

function updateOf({ most }: UpdateTargets): ProductCves['update'] {
  if (most === null) return null;
  const { version, ends, still_affected } = most;
  return { version: displayText(version, MAX_VERSION_CHARACTERS), fixes: ends, still_affected };
}

function cvesOfAnyVersion({ name, cpe }: DetectedProduct, { catalog, now }: ProductCvesDeps): ProductCves {
  const query = { productNames: catalog.sameProduct(nameOf(cpe)), sort: 'epss_desc', offset: 0 } as const;
  const { total, cves: likely } = catalog.search({ ...query, limit: MAX_RANKED_CVES });
  const { cves: exploited } = catalog.search({ ...query, kev: true, limit: MAX_RANKED_CVES });
  const ids = new Set([...likely, ...exploited].map(({ cve_id }) => cve_id));
  const cves = [...ids].map((id) => loadCveRiskSummary(id, catalog, now));
  return {
    technology: name,
    version: null,
    version_unknown: true,
    cve_count: total,
    cves: riskiest(cves, MAX_SHOWN_WITHOUT_VERSION),
    support: null,
    undecided_count: 0,
    undecided: [],
    update: null,
  };
}

/** Support of a detected release; null where its version or its cycle is not known. */
export function supportOfTechnology(
  { version, cpe }: Pick<DetectedTechnology, 'version' | 'cpe'>,
  { catalog, now }: Pick<Context, 'catalog' | 'now'>,
): Support | null {
  if (version === null || cpe === null) return null;
  for (const { vendor, product } of catalog.sameProduct(nameOf(cpe))) {
    const support = lookUpSupport(catalog, { cpe: `${vendor}:${product}`, version }, now);
    if (support !== null) return support;
  }
  return null;
}

function nameOf({ vendor, product }: ProductName): ProductName {
  return { vendor: normalizeCpeToken(vendor), product: normalizeCpeToken(product) };
}

function riskiest(cves: readonly CveRiskSummary[], limit: number): CveRiskSummary[] {
  return cves.toSorted((a, b) => b.risk - a.risk || (a.cve_id < b.cve_id ? 1 : -1)).slice(0, limit);
}

import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import { type CpeQuery, createCpeQuery, matchCpeRows, parseCpeRows } from '../../../analysis/packages/cpe-match.ts';
import { type DetectedTechnology, isExactVersion } from '../../../analysis/tech/detect-technologies.ts';
import { breather } from '../../code/lib/breathe.ts';
import { type AboutCve, aboutCve } from '../../code/lib/dependency-finding.ts';
import type { Context } from '../../../engine/context.ts';
import { formatCount } from '../../../engine/summary.ts';

export interface ProductCves {
  technology: string;
  /** Null: none shows, or none that is one exact release. */
  version: string | null;
  version_unknown: boolean;
  /** Of the detected version; where none is known, of the product whatever its version. */
  cve_count: number;
  /** Riskiest first. */
  cves: AboutCve[];
}

type Ground = Pick<Context, 'catalog' | 'evidence' | 'now' | 'signal'>;
type Product = DetectedTechnology & { cpe: NonNullable<DetectedTechnology['cpe']> };

const UNKNOWN_SHOWN = 5;
/** Of a product without a version so many are ranked: the likeliest exploited, and those that are. */
const RANKED = 50;
const MAX_PRODUCTS = 30;
const MAX_CVES_OF_PRODUCT = 3000;

/** Technologies that the NVD has a name for, those with a version first. */
export function productsOf(found: readonly DetectedTechnology[]): Product[] {
  const named = found.filter((one): one is Product => one.cpe !== null);
  const exact = named.filter(({ name, version }) => isExactVersion(name, version));
  return [...exact, ...named.filter((one) => !exact.includes(one))];
}

/**
 * The CVEs of each product, riskiest product first: with an exact version those whose ranges hold it, without one the five riskiest
 * of all. At most `shown` of each are listed. Products without any are left out.
 */
export async function stackCves(products: readonly Product[], shown: number, ground: Ground): Promise<ProductCves[]> {
  if (products.length > MAX_PRODUCTS)
    ground.evidence.addGap(`${MAX_PRODUCTS} of ${products.length} products were looked up`);
  const rows: ProductCves[] = [];
  for (const [index, product] of products.slice(0, MAX_PRODUCTS).entries()) {
    if (ground.signal.aborted) {
      ground.evidence.addGap(`the time was enough for ${index} of ${formatCount(products.length, 'product')}`);
      break;
    }
    const question = isExactVersion(product.name, product.version)
      ? createCpeQuery({ name: product.cpe.product, version: product.version }, null)
      : null;
    const row = question === null ? ofAnyVersion(product, ground) : await ofVersion(product, question, shown, ground);
    if (row.cve_count > 0) rows.push(row);
  }
  // What holds for sure stands before what depends on the version.
  return rows.toSorted(
    (a, b) => Number(a.version_unknown) - Number(b.version_unknown) || b.cves[0]!.risk - a.cves[0]!.risk,
  );
}

async function ofVersion(
  { name, version, cpe }: Product,
  question: CpeQuery,
  shown: number,
  ground: Ground,
): Promise<ProductCves> {
  const { catalog, evidence, now } = ground;
  const breathe = breather();
  const vendor = normalizeCpeToken(cpe.vendor);
  const cves: AboutCve[] = [];
  let read = 0;
  for (const { cve_id, rows } of catalog.cvesOfProduct(normalizeCpeToken(cpe.product))) {
    if (++read > MAX_CVES_OF_PRODUCT) {
      evidence.addGap(`${name} has more than ${MAX_CVES_OF_PRODUCT} CVEs: the newest were read`);
      break;
    }
    const own = parseCpeRows(rows).filter(({ cpeName }) => normalizeCpeToken(cpeName.vendor) === vendor);
    if (matchCpeRows(cve_id, own, question) !== null) cves.push(aboutCve(cve_id, catalog, now));
    await breathe();
  }
  return { technology: name, version, version_unknown: false, cve_count: cves.length, cves: riskiest(cves, shown) };
}

function ofAnyVersion({ name, cpe }: Product, { catalog, now }: Ground): ProductCves {
  const query = {
    product: normalizeCpeToken(cpe.product),
    vendor: normalizeCpeToken(cpe.vendor),
    sort: 'epss_desc',
    offset: 0,
  } as const;
  const { total, cves: likely } = catalog.search({ ...query, limit: RANKED });
  const { cves: exploited } = catalog.search({ ...query, kev: true, limit: RANKED });
  const ids = new Set([...likely, ...exploited].map(({ cve_id }) => cve_id));
  const cves = [...ids].map((id) => aboutCve(id, catalog, now));
  return {
    technology: name,
    version: null,
    version_unknown: true,
    cve_count: total,
    cves: riskiest(cves, UNKNOWN_SHOWN),
  };
}

function riskiest(cves: readonly AboutCve[], shown: number): AboutCve[] {
  return cves.toSorted((a, b) => b.risk - a.risk || (a.cve_id < b.cve_id ? 1 : -1)).slice(0, shown);
}

import { NVD_SCORER } from '../../analysis/cve/select-severity.ts';
import type { Answer } from '../../engine/operation.ts';
import type { cveDetection } from '../../operations/cve/cve-detection.ts';
import type { cveLookup } from '../../operations/cve/cve-lookup.ts';
import type { calculateRiskScore } from '../../operations/cve/calculate-risk-score.ts';
import type { epssHistory } from '../../operations/cve/epss-history.ts';
import type { exploitLookup } from '../../operations/cve/exploit-lookup.ts';

/** The answers that the page of a CVE is made from. */
export type Cve = Answer<(typeof cveLookup)['output']>;
export type AffectedProduct = Cve['affected_products'][number];
export type RiskScore = Answer<(typeof calculateRiskScore)['output']>;
export type EpssSeries = Answer<(typeof epssHistory)['output']>;
export type Exploits = Answer<(typeof exploitLookup)['output']>;
export type Detection = Answer<(typeof cveDetection)['output']>;

/** `NVD` for the address under which it scores. */
export function scorerName(scorer: string): string {
  return scorer === NVD_SCORER ? 'NVD' : scorer;
}

/** `apache log4j`; a package with its ecosystem. A vendor that its product repeats is left out: `linux kernel`. */
export function productName({ vendor, product, ecosystem }: Pick<AffectedProduct, 'vendor' | 'product' | 'ecosystem'>) {
  const isRepeated = vendor !== null && product?.toLowerCase().startsWith(vendor.toLowerCase()) === true;
  const name = [isRepeated ? null : vendor, product].filter((part) => part !== null).join(' ');
  return `${name.replaceAll('_', ' ')}${ecosystem === null ? '' : ` (${ecosystem})`}` || 'a product without a name';
}

/** Products that have the flaw, without those that they run on, each with its rows. */
export function vulnerableProducts({ affected_products }: Cve): [name: string, rows: AffectedProduct[]][] {
  return [
    ...Map.groupBy(
      affected_products.filter(({ vulnerable }) => vulnerable),
      productName,
    ),
  ];
}

/** `2.3.1, 2.12.2 or 2.15.0` */
export function oneOf(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

/** Versions in an order to read: numbers by their value. */
export function inOrder(versions: readonly string[]): string[] {
  return versions.toSorted(BY_NUMBERS.compare);
}

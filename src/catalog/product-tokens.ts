import { type CpeName, normalizeCpeToken, parseCpe } from '../analysis/cve/cpe.ts';
import type { CveProduct } from '../analysis/cve/cve-facts.ts';

/** The role of a product in a CVE, as far as searches distinguish it. */
export const TOKEN_KINDS = {
  /** A vulnerable CPE row. */
  affected: 0,
  /** A CPE row with `vulnerable: false`: the platform that the product runs on. */
  platform: 1,
  /** The `target_sw` of a vulnerable CPE row: `wordpress` for a plugin of it. */
  targetSoftware: 2,
  /** Vendor and product as plain names. They count as affected: since 2026 the NVD gives no CPE to most CVEs. */
  plainName: 3,
} as const;

/** The distinct tokens of a list of products, each as text: `kind<TAB>vendor<TAB>product`. */
export function encodeTokens(products: readonly CveProduct[]): string[] {
  const lines = new Set<string>();
  let last: { name: CpeName; vulnerable: boolean } | null = null;
  for (const product of products) {
    if (product.product !== null) lines.add(productToken(TOKEN_KINDS.plainName, product.vendor ?? '', product.product));
    const name = product.cpe === null ? null : parseCpe(product.cpe);
    if (name === null) continue;
    // Most rows of a long list are versions of one product.
    if (
      last !== null &&
      last.vulnerable === product.vulnerable &&
      last.name.product === name.product &&
      last.name.vendor === name.vendor &&
      last.name.target_sw === name.target_sw
    )
      continue;
    last = { name, vulnerable: product.vulnerable };
    lines.add(
      productToken(product.vulnerable ? TOKEN_KINDS.affected : TOKEN_KINDS.platform, name.vendor, name.product),
    );
    if (product.vulnerable && name.target_sw !== null && name.target_sw !== '-') {
      lines.add(productToken(TOKEN_KINDS.targetSoftware, name.vendor, name.target_sw));
    }
  }
  return [...lines];
}

/** Vendor and product are normalized. */
export function productToken(kind: number, vendor: string, product: string): string {
  return `${kind}\t${normalizeCpeToken(vendor)}\t${normalizeCpeToken(product)}`;
}

import type { CveProduct } from '../../src/analysis/cve/cve-facts.ts';
import { cveProduct } from '../../src/feeds/cve-fields.ts';

const BOUNDS = {
  '>=': 'start_including',
  '>': 'start_excluding',
  '<=': 'end_including',
  '<': 'end_excluding',
} as const;
const NOTATION = /^([aoh]):([^:\s]+:[^:\s]+(?::[^:\s]+){0,3})((?: (?:>=|>|<=|<)[^\s<>=]+)*)$/;

/**
 * Parses a product in the notation of facts.json: `a:php:php >=8.1.0 <8.1.29`, `a:apache:http_server:2.4.49`,
 * `a:jenkins:jenkins:*:*:lts <2.426.3` (part, vendor, product, version, update, software edition of CPE 2.3, then bounds).
 */
export function productOf(notation: string): CveProduct {
  const match = NOTATION.exec(notation);
  if (match === null) throw new Error(`not a product: ${notation}`);
  const [, part, name = '', bounds = ''] = match;
  const [vendor, product, version, update = '*', swEdition = '*'] = name.split(':');
  const fact = cveProduct({
    cpe: `cpe:2.3:${part}:${vendor}:${product}:${version ?? '*'}:${update}:*:*:${swEdition}:*:*:*`,
  });
  for (const [, sign, bound] of bounds.matchAll(/(>=|>|<=|<)(\S+)/g)) {
    fact[BOUNDS[sign as keyof typeof BOUNDS]] = bound ?? null;
  }
  return fact;
}

/** Whether a product's CPE name begins with one of `vendor:product:version:update:` beginnings. */
export function isPicked(cpe: string | null, picks: readonly string[]): boolean {
  const name = `${(cpe ?? '').split(':').slice(3, 7).join(':')}:`;
  return picks.some((pick) => name.startsWith(pick));
}

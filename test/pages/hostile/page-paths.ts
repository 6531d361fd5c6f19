import type { Page } from '../../../src/pages/page.ts';
import { LISTED } from '../../operations/fixture-networks.ts';
import { EXAMPLES } from '../examples.ts';
import { POISONED_CVES } from './poisoned-catalog.ts';

/** Values of path parameters that lead to what the fixture has, by page. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '/cve/:id': POISONED_CVES.map((id) => `/cve/${id}`),
  '/ip/:ip': [LISTED.botnet, LISTED.attacker, LISTED.awsIpv6].map((ip) => `/ip/${ip}`),
  '/indicator/*value': [`/indicator/${LISTED.botnet}`, '/indicator/%2B442079460958', '/indicator/nothing'],
  '/vendor/:vendor': ['/vendor/apache', '/vendor/cisco', '/vendor/openssl'],
  '/product/:vendor/:product': ['/product/apache/log4j', '/product/openssl/openssl'],
  '/attack/:technique': ['/attack/T1190', '/attack/T1059', '/attack/T1574.002'],
  '/attack/:id': ['/attack/T1190', '/attack/T1059', '/attack/T1574.002'],
  '/cwe/:id': ['/cwe/CWE-79', '/cwe/CWE-89', '/cwe/CWE-707'],
};

/** Paths of a page that have content. */
export function pathsOf({ path }: Page): string[] {
  const examples = (EXAMPLES[path] ?? []).filter((example) => example !== '/no/such/page');
  const found = [...(VALUES[path] ?? []), ...examples];
  return found.length > 0 ? [...new Set(found)] : [fillPath(path, 'x')];
}

/** The path of a page with one value in the place of all its parameters. */
export function fillPath(path: string, value: string): string {
  return path.replace(/[:*]\w+/g, () => encodeURIComponent(value));
}

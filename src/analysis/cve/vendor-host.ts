import { normalizeCpeToken, parseCpe } from './cpe.ts';
import type { CveProduct } from './cve-facts.ts';

/** Hosts on which anyone can have an account: there the path names the owner of a page. */
const CODE_HOSTS = /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sourceforge\.net|sr\.ht)$/;
/** Words in vendor and product names that do not identify the owner of a host. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  'project software foundation group team systems technologies technology corporation company inc ltd llc gmbh the and for open source security server client plugin library framework manager management enterprise linux kernel web app application core'.split(
    ' ',
  ),
);
/** Mail domains of CNAs that issue CVEs for the products of others. */
const ISSUERS_FOR_OTHERS =
  /(?:^|\.)(?:mitre\.org|cert\.org|github\.com|nist\.gov|snyk\.io|wpscan\.com|wordfence\.com|patchstack\.com|vuldb\.com|huntr\.dev|huntr\.com|redhat\.com|jpcert\.or\.jp|incibe\.es|hackerone\.com|vulncheck\.com|cisa\.dhs\.gov|hq\.dhs\.gov|usom\.gov\.tr|trendmicro\.com|google\.com|talosintelligence\.com|tenable\.com)$/;
const MIN_CONTAINED = 5;

/** Hosts of vendors that have another name there. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['fortinet', 'fortiguard'],
  ['linux', 'kernel'],
]);

/** Tests whether an address is of the product's own vendor. */
export interface VendorHosts {
  /** Whether the host, or on a code host the account, is named as the vendor or the product. */
  isOwn(address: URL): boolean;
  /** Whether it is on no code host, or there in a repository that is named as the product: the vendor's, or a copy. */
  isOfProject(address: URL): boolean;
  /** False where neither vendor nor product is known: nothing is recognised then. */
  readonly isKnown: boolean;
}

/** Of the product that represents the CVE: the first vulnerable one. `assigner` is the mail address of the CNA, or its name. */
export function vendorHosts(products: readonly CveProduct[], assigner: string | null): VendorHosts {
  const main = products.find(({ vulnerable }) => vulnerable);
  const cpe = main?.cpe == null ? null : parseCpe(main.cpe);
  const names = [cpe?.vendor ?? main?.vendor, cpe?.product ?? main?.product].filter((name) => name != null);
  const words = new Set(names.flatMap((name) => wordsOf(name)));
  const otherName = OTHER_NAMES.get(normalizeCpeToken(names[0] ?? ''));
  if (otherName !== undefined) words.add(otherName);
  const domain = mailDomain(assigner);
  return {
    isKnown: words.size > 0 || domain !== null,
    isOwn(address) {
      const host = address.hostname.toLowerCase();
      if (CODE_HOSTS.test(host)) {
        return isNamed(accountAndProject(address)[0] ?? '', words);
      }
      if (domain !== null && (host === domain || host.endsWith(`.${domain}`))) return true;
      return host
        .split('.')
        .slice(0, -1)
        .some((label) => isNamed(label, words));
    },
    isOfProject(address) {
      return !CODE_HOSTS.test(address.hostname) || accountAndProject(address).some((name) => isNamed(name, words));
    },
  };
}

function accountAndProject({ pathname }: URL): string[] {
  return pathname.toLowerCase().split('/').slice(1, 3);
}

/** The name as one word, and its parts where they say something. */
function wordsOf(name: string): string[] {
  const text = normalizeCpeToken(name);
  const parts = text.split(/[^\p{L}\p{N}]+/u);
  return [squash(text), ...parts].filter((word) => word.length >= 3 && !COMMON_WORDS.has(word));
}

function isNamed(label: string, words: ReadonlySet<string>): boolean {
  const name = squash(label);
  if (words.has(name)) return true;
  return [...words].some((word) => word.length >= MIN_CONTAINED && name.includes(word));
}

function mailDomain(assigner: string | null): string | null {
  const domain = /@([a-z0-9.-]+\.[a-z]+)$/i.exec(assigner ?? '')?.[1]?.toLowerCase() ?? null;
  return domain === null || ISSUERS_FOR_OTHERS.test(domain) ? null : domain;
}

function squash(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

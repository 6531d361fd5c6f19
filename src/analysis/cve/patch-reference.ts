import { parseCpe } from './cpe.ts';
import type { CveFacts, CveProduct, CveReference } from './cve-facts.ts';
import { type VendorHosts, vendorHosts } from './vendor-host.ts';

/** Where a fix is found. */
export interface Fix {
  /** `commit`: the change itself; `release`: a version or patch; `advisory`: what the vendor says; `none_known`: nothing. */
  kind: 'commit' | 'release' | 'advisory' | 'none_known';
  url: string | null;
  /** First versions without the flaw, of the product that represents the CVE. */
  versions: string[];
}

export interface FixFinding {
  /** True: a source names a fix; false: a source says that there is none; null: unknown. */
  patch_available: boolean | null;
  fix: Fix;
}

/** Addresses whose very form says "this is a change". */
const CHANGE_URL =
  /\/commits?\/[0-9a-f]{7,40}\b|\/(?:pull|merge_requests)\/\d+|\.(?:patch|diff)(?:$|\?)|[?&]id=[0-9a-f]{40}\b|\ba=commit(?:diff)?;h=[0-9a-f]{7,40}\b/i;
/** Collections of exploits and detections take changes, too. */
const NO_FIX_URL = /metasploit|nuclei-templates|exploit|\/poc/i;
const RELEASE_URL = /\/releases?\/|\/tags?\/|changelog|release[-_]?(?:notes|\d)/i;
const ADVISORY_URL = /advisor|security|bulletin|psirt|vuln|cve-\d{4}/i;
const MAX_VERSIONS = 10;
/** How often one host is shown before all others were. */
const MAX_PER_HOST = 2;
/** CISA's standing phrases. "Or discontinue use if updates are unavailable" leaves open whether there are some. */
const UPDATES_EXIST =
  /\bapply (?:the )?(?:latest |vendor |security )?(?:updates?|patch(?:es)?)\b(?!.*\bunavailable\b)/i;
const NO_UPDATES = /^the impacted products? (?:is|are) end-of-life\b|\ball .* have reached their end-of-life\b/i;

type Facts = Pick<CveFacts, 'references' | 'products' | 'tags' | 'assigner'>;

interface RankedReference {
  reference: CveReference;
  hostname: string;
  /** Lower is better; see `rankReference`. */
  rank: number;
  kind: Fix['kind'];
  /** It says that there is a fix, not only what is known of the flaw. */
  namesFix: boolean;
}

export interface AssessedReferences extends FixFinding {
  /** In the order in which they are shown: fix and vendor first, and no host again and again before the others. */
  references: CveReference[];
}

/** The references of a CVE in order, and its fix, from its complete lists: the fixing commit and the vendor come before third parties. */
export function assessReferences(facts: Facts): AssessedReferences {
  const hosts = vendorHosts(facts.products, facts.assigner);
  const ranked = facts.references
    .map((reference) => rankReference(reference, hosts))
    .sort((one, other) => one.rank - other.rank);
  const best = ranked.find(({ kind }) => kind !== 'none_known');
  const versions = fixedVersions(facts.products);
  const isNamed = hasFixedVersion(facts.products) || ranked.some(({ namesFix }) => namesFix);
  const isUnsupported = facts.tags.includes('unsupported-when-assigned');
  return {
    references: spreadHosts(ranked),
    patch_available: isNamed ? true : isUnsupported ? false : null,
    fix: {
      kind: best?.kind ?? (versions.length > 0 ? 'release' : 'none_known'),
      url: best?.reference.url ?? null,
      versions,
    },
  };
}

/** What CISA demands for a known-exploited CVE says whether there are updates, where no record does. */
export function withKevAction({ patch_available, fix }: FixFinding, requiredAction: string | null): FixFinding {
  if (patch_available === true || requiredAction === null) return { patch_available, fix };
  if (UPDATES_EXIST.test(requiredAction)) return { patch_available: true, fix };
  return { patch_available: NO_UPDATES.test(requiredAction) ? false : patch_available, fix };
}

function spreadHosts(ranked: readonly RankedReference[]): CveReference[] {
  const shown = new Map<string, number>();
  const [early, late]: [CveReference[], CveReference[]] = [[], []];
  for (const { reference, hostname } of ranked) {
    const host = hostname.replace(/^www\./, '');
    const count = shown.get(host) ?? 0;
    shown.set(host, count + 1);
    (count < MAX_PER_HOST ? early : late).push(reference);
  }
  return [...early, ...late];
}

function rankReference(reference: CveReference, hosts: VendorHosts): RankedReference {
  const { url } = reference;
  // `Vendor Advisory` in the NVD, `vendor-advisory` in CVE records.
  const tags = reference.tags.map((tag) => tag.toLowerCase().replaceAll('-', ' '));
  const hasTag = (name: string): boolean => tags.includes(name);
  const address = URL.parse(url);
  const isOwn = address !== null && hosts.isOwn(address);
  const isPatch = hasTag('patch');
  const isThirdParty = hasTag('third party advisory');
  const isAdvisory = hasTag('vendor advisory') || (isOwn && ADVISORY_URL.test(url));
  const isRelease = hasTag('release notes') || (isOwn && RELEASE_URL.test(url));
  // A change in the product's own repository; in another one only if a source says that it is the patch.
  const isChange =
    CHANGE_URL.test(url) &&
    !NO_FIX_URL.test(url) &&
    (!hosts.isKnown || isPatch || isOwn || (address !== null && hosts.isOfProject(address)));
  const ranks: [applies: boolean, kind: Fix['kind']][] = [
    [isChange && (isOwn || !hosts.isKnown), 'commit'],
    [isOwn && isPatch, isAdvisory ? 'advisory' : 'release'],
    [isOwn && isRelease, 'release'],
    [isChange, 'commit'],
    [isOwn && isAdvisory, 'advisory'],
    [isPatch && !isThirdParty, isAdvisory ? 'advisory' : 'release'],
    [isAdvisory && !isThirdParty, 'advisory'],
    [isPatch, 'advisory'],
    [isAdvisory, 'advisory'],
    [isOwn, 'none_known'],
    [hasTag('mitigation'), 'none_known'],
    [!hasTag('exploit') && !hasTag('vdb entry'), 'none_known'],
    [true, 'none_known'],
  ];
  const rank = ranks.findIndex(([applies]) => applies);
  const isBroken = hasTag('broken link') || hasTag('not applicable');
  return {
    reference,
    hostname: address?.hostname ?? '',
    rank: isBroken ? rank + ranks.length : rank,
    kind: ranks[rank]![1],
    namesFix: isPatch || isChange,
  };
}

/**
 * The ends of the affected ranges of the first vulnerable product: the first versions without the flaw. An end that is itself named as
 * vulnerable (`1.9.5` before `1.9.5p2`) is left out.
 */
function fixedVersions(products: readonly CveProduct[]): string[] {
  const vulnerable = products.filter((product) => product.vulnerable);
  const main = vulnerable.find(({ end_excluding }) => end_excluding !== null);
  if (main === undefined || nameOf(main) !== nameOf(vulnerable[0]!)) return [];
  const rows = vulnerable.filter((product) => nameOf(product) === nameOf(main));
  const singles = new Set(rows.map(({ cpe, version }) => (cpe === null ? version : (parseCpe(cpe)?.version ?? null))));
  const ends = rows.map((product) => product.end_excluding).filter((end) => end !== null);
  return [...new Set(ends)].filter((end) => !singles.has(end)).slice(0, MAX_VERSIONS);
}

/** Whether a range of a product of the first one's vendor ends before a version. */
function hasFixedVersion(products: readonly CveProduct[]): boolean {
  const [first, ...others] = products.filter((product) => product.vulnerable);
  if (first === undefined) return false;
  const vendor = vendorOf(first);
  return [first, ...others].some((product) => product.end_excluding !== null && vendorOf(product) === vendor);
}

function vendorOf({ cpe, vendor }: CveProduct): string | null {
  return (cpe === null ? null : parseCpe(cpe)?.vendor) ?? vendor;
}

function nameOf({ cpe, vendor, product }: CveProduct): string {
  const name = cpe === null ? null : parseCpe(cpe);
  return name === null ? `${vendor}:${product}` : `${name.vendor}:${name.product}`;
}

import { icannRegistrableDomain } from '../domain-name.ts';

/** One policy (CSP Level 3): directives by name in lower case, each with its sources as written. */
export interface CspPolicy {
  directives: ReadonlyMap<string, readonly string[]>;
  /** Names of directives that occur more than once; only the first counts. */
  repeated: readonly string[];
  /** Delivered by a `<meta>` element. */
  meta: boolean;
  /** Directives that mean nothing in a `<meta>` element; they are not in `directives`. */
  ignored: readonly string[];
}

/** HTML standard, section 4.2.5.3 ("Content security policy state"). */
const NOT_IN_META = new Set(['frame-ancestors', 'report-uri', 'sandbox']);

/** The policies of a header's values: all of them hold at once. Empty ones are left out. */
export function parseCspPolicies(values: readonly string[], meta = false): CspPolicy[] {
  return values
    .flatMap((value) => value.split(','))
    .map((text) => parseCspPolicy(text, meta))
    .filter(({ directives, ignored }) => directives.size + ignored.length > 0);
}

function parseCspPolicy(text: string, meta: boolean): CspPolicy {
  const directives = new Map<string, readonly string[]>();
  const repeated = new Set<string>();
  const ignored = new Set<string>();
  for (const part of text.split(';')) {
    const [name = '', ...sources] = part.split(/[\t\n\f\r ]+/).filter((word) => word !== '');
    const key = name.toLowerCase();
    if (key === '') continue;
    if (meta && NOT_IN_META.has(key)) ignored.add(key);
    else if (directives.has(key)) repeated.add(key);
    else directives.set(key, sources.map(normalizeSource));
  }
  return { directives, repeated: [...repeated], meta, ignored: [...ignored] };
}

/** Keywords and schemes compare without case; nonces, hashes and paths do not. */
function normalizeSource(source: string): string {
  return /^'(?:nonce-|sha\d)/i.test(source) || source.includes('/') ? source : source.toLowerCase();
}

/** Fetch directives, and what each falls back to before `default-src`. */
const FALLBACK_DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  'script-src-elem': ['script-src'],
  'script-src-attr': ['script-src'],
  'style-src-elem': ['style-src'],
  'style-src-attr': ['style-src'],
  'worker-src': ['child-src', 'script-src'],
  'frame-src': ['child-src'],
};

/** The sources that hold for a fetch directive, or for the first of its fallbacks that the policy has; null: not restricted. */
export function effectiveSources(policy: CspPolicy, directive: string): readonly string[] | null {
  for (const name of [directive, ...(FALLBACK_DIRECTIVES[directive] ?? []), 'default-src']) {
    const sources = policy.directives.get(name);
    if (sources !== undefined) return sources;
  }
  return null;
}

export function isNonce(source: string): boolean {
  return /^'nonce-.+'$/i.test(source);
}

export function isNonceOrHash(source: string): boolean {
  return isNonce(source) || /^'sha(?:256|384|512)-.+'$/i.test(source);
}

const OPEN_SCHEMES = new Set(['http:', 'https:', 'ftp:', 'data:']);
/** A host source (CSP Level 3, section 2.3.1): scheme, host, port, path. */
const HOST_SOURCE = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/:']+)(?::(?:\d+|\*))?(?:\/.*)?$/i;

/** A source without effective restriction: all hosts, all below a suffix of a registry (`*.com`), or content written into the address. */
export function isUnrestrictedSource(source: string): boolean {
  if (OPEN_SCHEMES.has(source.toLowerCase())) return true;
  const host = HOST_SOURCE.exec(source)?.[1]?.toLowerCase();
  if (host === undefined || !host.startsWith('*')) return false;
  const suffix = host.slice(2);
  return host === '*' || (host.startsWith('*.') && icannRegistrableDomain(suffix) === null);
}

/** A source with a scheme that is not encrypted: `http:`, `ws:`, `ftp:`. */
export function isInsecureSource(source: string): boolean {
  return /^(?:http|ftp|ws):/i.test(source);
}

import ipaddr from 'ipaddr.js';

/** Kinds of identifiers that are recognised by their form. */
export type IdentifierKind =
  | 'cve'
  | 'cwe'
  | 'ghsa'
  | 'atlas_technique'
  | 'atlas_case_study'
  | 'attack_technique'
  | 'd3fend'
  | 'cvss_vector'
  | 'asn'
  | 'hash'
  | 'uuid'
  | 'ip'
  | 'email'
  | 'url'
  | 'domain';

const IDENTIFIER_PATTERNS: readonly [IdentifierKind, RegExp][] = [
  ['cve', /^CVE-\d{4}-\d{4,19}$/i],
  ['cwe', /^CWE[- ]?\d{1,5}$/i],
  ['ghsa', /^GHSA(-[0-9a-z]{4}){3}$/i],
  ['atlas_technique', /^AML\.T\d{4}(\.\d{3})?$/i],
  ['atlas_case_study', /^AML\.CS\d{4}$/i],
  ['attack_technique', /^T\d{4}(\.\d{3})?$/i],
  ['d3fend', /^D3-[A-Z]{1,10}$/i],
  ['d3fend', /^(?:d3f:|https?:\/\/d3fend\.mitre\.org\/(?:ontologies\/d3fend\.owl#|technique\/d3f:))[\w.-]+\/?$/i],
  ['cvss_vector', /^(CVSS:\d\.\d\/|\(?AV:[NAL]\/AC:[LMH]\/Au:)/],
  ['asn', /^AS\d{1,10}$/i],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['hash', /^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i],
  ['url', /^https?:\/\/\S+$/i],
  ['email', /^[^\s@/]{1,64}@[^\s@/]{1,255}$/],
];
/** A dotted name whose last label consists of letters, or is an IDN label in either form. */
const DOMAIN_PATTERN =
  /^(?=.{1,253}\.?$)([\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?\.)+(?:[\p{L}]{2,63}|xn--[a-z0-9-]{2,59})\.?$/iu;

/** The kind of identifier that a text has the form of; null: no known form. */
export function detectIdentifierKind(text: string): IdentifierKind | null {
  const identifier = text.trim();
  if (identifier.length === 0 || identifier.length > 2048) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(identifier) || ipaddr.IPv6.isValid(identifier)) return 'ip';
  const found = IDENTIFIER_PATTERNS.find(([, pattern]) => pattern.test(identifier));
  if (found !== undefined) return found[0];
  return DOMAIN_PATTERN.test(identifier) ? 'domain' : null;
}

/** Each kind as a phrase with its article. */
export const IDENTIFIER_KIND_PHRASES: Record<IdentifierKind, string> = {
  cve: 'a CVE id',
  cwe: 'a CWE id',
  ghsa: 'a GitHub advisory id',
  atlas_technique: 'an ATLAS technique id',
  atlas_case_study: 'an ATLAS case study id',
  attack_technique: 'an ATT&CK technique id',
  d3fend: 'a D3FEND id',
  cvss_vector: 'a CVSS vector',
  asn: 'an AS number',
  hash: 'a file hash',
  uuid: 'a UUID',
  ip: 'an IP address',
  email: 'an e-mail address',
  url: 'a web address',
  domain: 'a domain name',
};

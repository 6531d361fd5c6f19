import { NAMED_GROUPS } from '../../../analysis/tls/named-groups.ts';
import { isTls13Scheme, SIGNATURE_SCHEMES } from '../../../analysis/tls/signature-schemes.ts';
import { SUITE_NAMES } from '../../../analysis/tls/suite-names.ts';
import { firstVersionOf, SUITE_STRENGTHS, suiteStrength } from '../../../analysis/tls/suite-properties.ts';
import type { ClientHelloOptions } from '../../../net/tls/client-hello.ts';

/** Fixed Diffie-Hellman keys, DSA, pre-shared keys, passwords, and ciphers of one country: few servers take them. */
const RARE = /^TLS_(DH|ECDH)_(RSA|DSS|ECDSA)_|_DSS_|PSK|SRP|GOST|ARIA|TLS_NULL_/;

type Version = ClientHelloOptions['version'];

const named = [...SUITE_NAMES].map(([code, name]) => ({
  code,
  rare: RARE.test(name),
  first: firstVersionOf(name),
  rank: SUITE_STRENGTHS.indexOf(suiteStrength(name)),
}));

/** Suites to offer, the strongest first. The rare ones are offered apart: some servers fail at a ClientHello with more than 128. */
export function suiteCandidates(version: Version): { usual: number[]; rare: number[] } {
  const codes = named
    .filter(({ first }) => (version === 'TLSv1.3') === (first === 'TLSv1.3'))
    .filter(({ first }) => version === 'TLSv1.2' || version === 'TLSv1.3' || first === 'SSLv3')
    .toSorted((a, b) => a.rank - b.rank);
  return {
    usual: codes.filter((suite) => !suite.rare).map(({ code }) => code),
    rare: codes.filter((suite) => suite.rare).map(({ code }) => code),
  };
}

const groupsOf = (...kinds: readonly string[]): number[] =>
  NAMED_GROUPS.filter(({ kind }) => kinds.includes(kind)).map(({ code }) => code);
const EC_GROUPS = groupsOf('ec');
const ALL_GROUPS = NAMED_GROUPS.map(({ code }) => code);
const SCHEMES = [...SIGNATURE_SCHEMES.keys()];

/** Before TLS 1.3 there are no post-quantum groups, and those of RFC 7919 change which group a DHE suite uses. */
export function groupCandidates(version: Version): readonly number[] {
  return version === 'TLSv1.3' ? ALL_GROUPS : EC_GROUPS;
}

export function schemeCandidates(version: Version): readonly number[] {
  return version === 'TLSv1.3' ? SCHEMES.filter(isTls13Scheme) : SCHEMES;
}

export const ALPN_CANDIDATES: readonly string[] = ['h2', 'http/1.1', 'http/1.0', 'spdy/3.1', 'spdy/3'];

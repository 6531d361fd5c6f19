import { type LetterGrade, worstGrade } from '../letter-grade.ts';
import { type GradeCap, findGradeCaps } from './grade-caps.ts';
import { rsaEquivalentBits } from './key-strength.ts';
import { findSuiteWeaknesses, suiteKeyBits } from './suite-properties.ts';
import { PROTOCOL_VERSIONS, type ProtocolVersion, type TlsFacts } from './tls-facts.ts';

export interface TlsGradeResult {
  grade: LetterGrade;
  /** 0 to 100, before caps. */
  score: number;
  components: { protocol: number; key_exchange: number; cipher: number };
  caps: GradeCap[];
}

/** Table 3 of the guide. */
const POINTS_BY_PROTOCOL: Record<ProtocolVersion, number> = {
  SSLv2: 0,
  SSLv3: 80,
  TLSv1: 90,
  'TLSv1.1': 95,
  'TLSv1.2': 100,
  'TLSv1.3': 100,
};

/**
 * Grades a server by the SSL Labs server rating guide (2009r): protocol support 30 %, key exchange 30 %, cipher strength 40 %, a zero
 * in one of them is a zero, then caps for faults. Grades are A to F: the guide's E counts as F, A+ and A- as A, and what it marks T or
 * M (not trusted, name mismatch) is F with the cap that says why.
 */
export function gradeTls(facts: TlsFacts, now: Date): TlsGradeResult {
  const components = {
    protocol: protocolPoints(facts),
    key_exchange: keyExchangePoints(facts),
    cipher: cipherPoints(facts),
  };
  const { protocol, key_exchange: exchange, cipher } = components;
  const score = protocol * exchange * cipher === 0 ? 0 : Math.round(protocol * 0.3 + exchange * 0.3 + cipher * 0.4);
  const caps = findGradeCaps(facts, now);
  const grade = worstGrade([tlsGradeOfScore(score), ...caps.map(({ atBest }) => atBest)]);
  return { grade, score, components, caps };
}

/** The mean of the best and the worst version. */
function protocolPoints({ protocols, negotiated }: TlsFacts): number {
  const taken = PROTOCOL_VERSIONS.filter((version) => protocols[version] === true || version === negotiated.protocol);
  const points = taken.map((version) => POINTS_BY_PROTOCOL[version]);
  return (Math.max(...points) + Math.min(...points)) / 2;
}

/** The weakest of the certificate's key and what suites exchange keys with (table 4). */
function keyExchangePoints({ chain, keyExchange, suites, negotiated }: TlsFacts): number {
  const names = [negotiated.standardCipher, ...suites.map(({ name }) => name)].map(findSuiteWeaknesses);
  if (names.some((weaknesses) => weaknesses.includes('anonymous'))) return 0;
  const key = chain[0] === undefined ? 0 : rsaEquivalentBits(chain[0].key);
  const primes = suites.flatMap(({ dhPrime }) => dhPrime?.bits ?? []);
  const group =
    keyExchange === null
      ? Number.POSITIVE_INFINITY
      : rsaEquivalentBits({ type: keyExchange.type === 'DH' ? 'dh' : 'ec', bits: keyExchange.bits });
  const bits = Math.min(key, group, ...primes);
  const points = bits < 512 ? 20 : bits < 1024 ? 40 : bits < 2048 ? 80 : bits < 4096 ? 90 : 100;
  return names.some((weaknesses) => weaknesses.includes('export')) ? Math.min(points, 40) : points;
}

/** The mean of the strongest and the weakest cipher (table 5). */
function cipherPoints({ suites, negotiated }: TlsFacts): number {
  const points = [negotiated.bits, ...suites.map(({ name }) => suiteKeyBits(name))].map((bits) => {
    if (bits === null || bits >= 256) return 100;
    return bits === 0 ? 0 : bits < 128 ? 20 : 80;
  });
  return (Math.max(...points) + Math.min(...points)) / 2;
}

/** Of a score without caps (SSL Labs server rating guide, table 2; its E is F here). */
export function tlsGradeOfScore(score: number): LetterGrade {
  if (score >= 80) return 'A';
  if (score >= 65) return 'B';
  if (score >= 50) return 'C';
  return score >= 35 ? 'D' : 'F';
}

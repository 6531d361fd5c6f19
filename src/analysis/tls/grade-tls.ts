import { type GradeCap, findGradeCaps, rsaEquivalentBits } from './grade-caps.ts';
import { TLS_VERSIONS, type TlsFacts, type TlsVersion } from './tls-facts.ts';
import { type LetterGrade, worstGrade } from '../letter-grade.ts';

export interface TlsGradeResult {
  grade: LetterGrade;
  /** 0 to 100, before caps. */
  score: number;
  components: { protocol: number; key_exchange: number; cipher: number };
  caps: GradeCap[];
}

const POINTS_BY_PROTOCOL: Record<TlsVersion, number> = { TLSv1: 90, 'TLSv1.1': 95, 'TLSv1.2': 100, 'TLSv1.3': 100 };

/**
 * Grades a server in the spirit of the SSL Labs server rating guide (2009r): protocol support 30 %, key exchange 30 %, cipher
 * strength 40 %, then caps for faults. Grades are A to F: the guide's E counts as F, and what it marks T or M (not trusted, name
 * mismatch) is F with the cap that says why.
 */
export function gradeTls(facts: TlsFacts, now: Date): TlsGradeResult {
  const components = {
    protocol: protocolPoints(facts),
    key_exchange: keyExchangePoints(facts),
    cipher: cipherPoints(facts.negotiated.bits),
  };
  const score = Math.round(components.protocol * 0.3 + components.key_exchange * 0.3 + components.cipher * 0.4);
  const caps = findGradeCaps(facts, now);
  const grade = worstGrade([tlsGradeOfScore(score), ...caps.map(({ atBest }) => atBest)]);
  return { grade, score, components, caps };
}

/** The mean of the best and the worst version. */
function protocolPoints({ protocols, negotiated }: TlsFacts): number {
  const taken = TLS_VERSIONS.filter((version) => protocols[version] === true || version === negotiated.protocol);
  const points = taken.map((version) => POINTS_BY_PROTOCOL[version]);
  return (Math.max(...points) + Math.min(...points)) / 2;
}

/** The weaker of the certificate's key and the group of an ephemeral exchange. */
function keyExchangePoints({ chain, keyExchange }: TlsFacts): number {
  const key = chain[0] === undefined ? 0 : rsaEquivalentBits(chain[0].key);
  const group =
    keyExchange === null
      ? Number.POSITIVE_INFINITY
      : rsaEquivalentBits({ type: keyExchange.type === 'DH' ? 'dh' : 'ec', bits: keyExchange.bits });
  const bits = Math.min(key, group);
  if (bits < 512) return 20;
  if (bits < 1024) return 40;
  if (bits < 2048) return 80;
  return bits < 4096 ? 90 : 100;
}

function cipherPoints(bits: number | null): number {
  if (bits === 0) return 0;
  if (bits !== null && bits < 128) return 20;
  return bits !== null && bits < 256 ? 80 : 100;
}

/** Of a score without caps (SSL Labs server rating guide, table 2; its E is F here). */
export function tlsGradeOfScore(score: number): LetterGrade {
  if (score >= 80) return 'A';
  if (score >= 65) return 'B';
  if (score >= 50) return 'C';
  return score >= 35 ? 'D' : 'F';
}

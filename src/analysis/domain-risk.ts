import type { LetterGrade } from './letter-grade.ts';
import { type RiskFactor, riskScore } from './risk-factor.ts';

/** Facts about a domain that affect its risk; null: unknown, which adds nothing. */
export interface RiskSignals {
  /** Malware addresses on it that are online now, and all that were ever listed (URLhaus). */
  malware: { online: number; listed: number } | null;
  /** Lists that an address of it stands on. */
  listedAddresses: readonly { ip: string; list: string }[] | null;
  /** Known vulnerabilities of what its addresses show, and those that are known to be exploited. */
  vulnerabilities: { total: number; exploited: number } | null;
  /** Days since registration, and until it ends. */
  ageDays: number | null;
  daysToExpiry: number | null;
  /** EPP status codes. */
  status: readonly string[] | null;
  /** `none`: the host does not offer TLS. */
  tls: { grade: string; valid: boolean; daysRemaining: number | null } | 'none' | null;
  emailGrade: string | null;
  /** It accepts mail. */
  hasMail: boolean | null;
  nameServers: number | null;
}

export interface DomainRisk {
  /** 0 (nothing found) to 100. */
  score: number;
  grade: LetterGrade;
  factors: RiskFactor[];
}

const NEW_DOMAIN_MAX_DAYS = 30;
const YOUNG_DOMAIN_MAX_DAYS = 90;
const EXPIRY_WARNING_DAYS = 14;
const HOLD_STATUS_PATTERN = /^(client|server)hold$/i;

/**
 * The risk that a domain poses to those who deal with it: the sum of its factors, at most 100. Malicious use weighs most, then
 * recent registration, then poor configuration.
 */
export function assessDomainRisk(signs: RiskSignals): DomainRisk {
  const factors = [...abuseFactors(signs), ...registrationFactors(signs), ...hygieneFactors(signs)].sort(
    (a, b) => b.points - a.points,
  );
  const score = riskScore(factors);
  return { score, grade: gradeOf(score), factors };
}

function* abuseFactors({ malware, listedAddresses, vulnerabilities }: RiskSignals): Generator<RiskFactor> {
  if (malware !== null && malware.online > 0) {
    yield {
      id: 'malware_online',
      points: 70,
      reason: `URLhaus lists ${malware.online} malware addresses on it that are online.`,
    };
  } else if (malware !== null && malware.listed > 0) {
    yield {
      id: 'malware_listed',
      points: 25,
      reason: `URLhaus lists ${malware.listed} malware addresses on it, none online now.`,
    };
  }
  const [listed] = listedAddresses ?? [];
  if (listed !== undefined) {
    yield { id: 'address_listed', points: 25, reason: `Its address ${listed.ip} stands on ${listed.list}.` };
  }
  if (vulnerabilities !== null && vulnerabilities.exploited > 0) {
    yield {
      id: 'exploited_vulnerabilities',
      points: 20,
      reason: `What its addresses show may have ${vulnerabilities.exploited} vulnerabilities that are known to be exploited.`,
    };
  } else if (vulnerabilities !== null && vulnerabilities.total > 0) {
    yield {
      id: 'vulnerabilities',
      points: 8,
      reason: `What its addresses show may have ${vulnerabilities.total} known vulnerabilities.`,
    };
  }
}

function* registrationFactors({ ageDays, daysToExpiry, status }: RiskSignals): Generator<RiskFactor> {
  if (ageDays !== null && ageDays < NEW_DOMAIN_MAX_DAYS) {
    yield { id: 'new_registration', points: 25, reason: `It was registered ${Math.max(0, ageDays)} days ago.` };
  } else if (ageDays !== null && ageDays < YOUNG_DOMAIN_MAX_DAYS) {
    yield { id: 'young_registration', points: 10, reason: `It was registered ${ageDays} days ago.` };
  }
  if (daysToExpiry !== null && daysToExpiry < 0) {
    yield { id: 'registration_over', points: 15, reason: 'Its registration has ended.' };
  } else if (daysToExpiry !== null && daysToExpiry < EXPIRY_WARNING_DAYS) {
    yield { id: 'registration_ending', points: 5, reason: `Its registration ends in ${daysToExpiry} days.` };
  }
  const held = status?.find((code) => HOLD_STATUS_PATTERN.test(code.replace(/\s/g, '')));
  if (held !== undefined) yield { id: 'on_hold', points: 20, reason: `Its registry status is ${held}.` };
}

function* hygieneFactors({ tls, emailGrade, hasMail, nameServers }: RiskSignals): Generator<RiskFactor> {
  if (tls === 'none') yield { id: 'no_tls', points: 10, reason: 'It does not speak TLS on port 443.' };
  else if (tls !== null && !tls.valid) {
    yield { id: 'invalid_certificate', points: 15, reason: 'Its certificate is not valid for it.' };
  } else if (tls !== null && 'CDF'.includes(tls.grade)) {
    yield { id: 'weak_tls', points: 8, reason: `Its TLS settings have grade ${tls.grade}.` };
  } else if (tls !== null && tls.daysRemaining !== null && tls.daysRemaining < EXPIRY_WARNING_DAYS) {
    yield { id: 'certificate_ending', points: 3, reason: `Its certificate ends in ${tls.daysRemaining} days.` };
  }
  // A domain without mail can still be spoofed as a sender, but receivers expect less mail from it.
  if (emailGrade === 'F')
    yield {
      id: 'spoofable_mail',
      points: hasMail === false ? 6 : 12,
      reason: 'Anybody can send mail in its name (posture F).',
    };
  else if (emailGrade === 'D')
    yield { id: 'weak_mail', points: 7, reason: 'Mail in its name is hardly protected (posture D).' };
  else if (emailGrade === 'C')
    yield { id: 'improvable_mail', points: 3, reason: 'Mail in its name is protected in part (posture C).' };
  if (nameServers === 1)
    yield { id: 'one_name_server', points: 2, reason: 'It has one name server alone (RFC 2182 asks for two).' };
}

function gradeOf(score: number): LetterGrade {
  if (score < 10) return 'A';
  if (score < 25) return 'B';
  if (score < 45) return 'C';
  return score < 70 ? 'D' : 'F';
}

import type { FixGuide } from './fix-guide.ts';
import { type CheckSeverity, compareSeverity } from './severity.ts';

/** What is known of one part of a domain, in a few words. `tone`: what a reader should make of it. */
export interface PartVerdict {
  text: string;
  tone: 'bad' | 'fair' | 'good' | 'none' | 'unknown';
}

/** A part whose source did not answer: never good, never bad. */
export const UNKNOWN_VERDICT: PartVerdict = { text: 'not known', tone: 'unknown' };

const verdict = (tone: PartVerdict['tone'], text: string): PartVerdict => ({ text, tone });

/** What DMARC lets happen to forged mail. `present`: null where the DNS did not answer. */
export interface DmarcEffect {
  present: boolean | null;
  effective_policy: 'none' | 'quarantine' | 'reject' | null;
  testing: boolean | null;
  pct: number | null;
}

/** Whether mail in the name of a domain can be forged: decided by DMARC, because SPF alone does not protect the visible sender. */
export function mailVerdict({ present, effective_policy, testing, pct }: DmarcEffect): PartVerdict {
  if (present === null) return UNKNOWN_VERDICT;
  if (effective_policy === null || effective_policy === 'none') return verdict('bad', 'can be forged');
  if (testing === true || (pct !== null && pct < 100)) return verdict('fair', 'forgery is kept out in part');
  return effective_policy === 'reject'
    ? verdict('good', 'forgery is refused')
    : verdict('good', 'forgery goes to junk');
}

/** TLS by its grade; `days`: until the certificate ends. */
export function tlsVerdict({
  grade,
  valid,
  days,
}: {
  grade: string;
  valid: boolean;
  days: number | null;
}): PartVerdict {
  if (!valid) return verdict('bad', days !== null && days < 0 ? 'certificate has expired' : 'certificate is not valid');
  if (days !== null && days < 7) return verdict('bad', `certificate ends in ${days === 1 ? '1 day' : `${days} days`}`);
  if (grade.startsWith('A')) return verdict('good', 'good');
  return grade === 'B' ? verdict('fair', 'fair') : verdict('bad', 'weak');
}

/** Response headers by their grade. */
export function headersVerdict(grade: string): PartVerdict {
  if (grade.startsWith('A')) return verdict('good', 'headers good');
  return grade === 'B' ? verdict('fair', 'headers fair') : verdict('bad', 'headers weak');
}

/** A detected technology with its CVEs. */
export interface VulnerableTechnology {
  version_unknown: boolean;
  cves: readonly { in_kev: boolean | null; severity: CheckSeverity | null }[];
}

/** What technologies are judged by. `ended`: releases that get no more security fixes; `isStarter`: only the starter catalog was asked. */
export interface TechnologyFacts {
  found: number;
  rows: readonly VulnerableTechnology[];
  ended: number;
  isStarter: boolean;
}

/** Technologies in use by the worst of their CVEs, then by their support; one of unknown version proves nothing. */
export function technologiesVerdict({ found, rows, ended, isStarter }: TechnologyFacts): PartVerdict {
  const affected = rows.filter(({ version_unknown, cves }) => !version_unknown && cves.length > 0);
  const exploited = affected.filter(({ cves }) => cves.some(({ in_kev }) => in_kev === true)).length;
  if (exploited > 0) return verdict('bad', `${exploited} with exploited CVEs`);
  if (affected.length > 0) return verdict('bad', `${affected.length} with known CVEs`);
  if (ended > 0) return verdict('bad', `${ended} without security fixes`);
  if (found === 0) return verdict('none', 'none recognised');
  const unknown = rows.filter(({ version_unknown }) => version_unknown).length;
  if (unknown > 0) return verdict('fair', `${unknown} of unknown version`);
  return isStarter
    ? verdict('unknown', 'none in the starter catalog')
    : verdict('good', 'no CVE of a detected version found');
}

/** What threat lists say. `urls`: malware addresses on it; `lists`: lists that its addresses stand on; null: not known. */
export function threatVerdict(
  urls: { listed: number; online: number } | null,
  lists: readonly string[] | null,
): PartVerdict {
  if (urls !== null && urls.online > 0) return verdict('bad', `${urls.online} malware addresses online`);
  if (lists !== null && lists.length > 0) return verdict('bad', `its address is on ${lists[0]}`);
  if (urls !== null && urls.listed > 0) return verdict('fair', `${urls.listed} malware addresses, none online`);
  if (urls === null && lists === null) return UNKNOWN_VERDICT;
  return urls === null || lists === null ? verdict('none', 'on no list that answered') : verdict('good', 'on no list');
}

/** Registration: how long it lasts. `days`: until its end; null: not known. */
export function registrationVerdict({ created, days }: { created: string | null; days: number | null }): PartVerdict {
  if (days !== null && days < 0) return verdict('bad', 'has ended');
  if (days !== null && days < 30) return verdict('bad', `ends in ${days === 1 ? '1 day' : `${days} days`}`);
  return created === null ? UNKNOWN_VERDICT : verdict('none', `since ${created.slice(0, 4)}`);
}

/** What can be mended at a domain, whichever part it is of. */
export interface DomainFinding {
  /** `mail.dmarc_missing`: the part, and the id of the rule. Stable. */
  id: string;
  part: 'mail' | 'tls' | 'web' | 'technologies';
  severity: CheckSeverity | 'UNKNOWN';
  /** A CVE known to be exploited is behind it. */
  exploited: boolean;
  title: string;
  why: string | null;
  fix: string | null;
  /** A text to paste, and where it belongs; one of a guide is in the guide. */
  paste: { place: string; text: string } | null;
  /** Why it matters, what to paste, how to see that it worked; null: `why`, `fix` and `paste` are all. */
  guide: FixGuide | null;
  /** CVEs behind it, the riskiest first. */
  cves: readonly string[];
  /** What was seen, in the words of the target. */
  evidence: string | null;
  reference: string | null;
}

function hasPaste({ paste, guide }: DomainFinding): boolean {
  return paste !== null || (guide !== null && (guide.records.length > 0 || guide.file !== null));
}

const PART_ORDER: readonly DomainFinding['part'][] = ['technologies', 'mail', 'tls', 'web'];

/** In the order to mend them: what is exploited, then the worst, then what needs one line to mend. Observations are left out. */
export function rankDomainFindings(findings: readonly DomainFinding[]): DomainFinding[] {
  return findings
    .filter(({ severity }) => severity !== 'INFO')
    .toSorted(
      (a, b) =>
        Number(b.exploited) - Number(a.exploited) ||
        compareSeverity(a.severity, b.severity) ||
        Number(hasPaste(b)) - Number(hasPaste(a)) ||
        PART_ORDER.indexOf(a.part) - PART_ORDER.indexOf(b.part),
    );
}

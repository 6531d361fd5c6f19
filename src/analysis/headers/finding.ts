import { cleanText, shownText } from '../text.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';
import { ISSUES, type IssueCode, type IssueSeverity } from './issues.ts';

export interface Issue {
  code: IssueCode;
  /** What in the value it is about: sources, names. */
  about?: readonly string[];
}

/** What a check has to say of one header. */
export interface Judgement {
  /** As it is written in standards. */
  header: string;
  issues: Issue[];
  reference: string;
}

export interface HeaderFinding {
  header: string;
  severity: IssueSeverity;
  present: boolean;
  /** Browsers do what the value says. */
  valid: boolean;
  value: string | null;
  /** Characters of the value, where it is longer than what `value` has of it. */
  total_value_length?: number;
  issues: IssueCode[];
  description: string;
  remediation: string;
  reference: string;
}

export const SEVERITIES: readonly IssueSeverity[] = ['high', 'medium', 'low', 'info'];

const SHOWN_VALUE = 500;
const SHOWN_ABOUT = 5;
const LONGEST_ABOUT = 80;

/** The finding of one header: as bad as the worst of its issues, which stands first. Null where there is none. */
export function toFinding(
  { header, issues, reference }: Judgement,
  headers: HeaderMap,
  full: boolean,
): HeaderFinding | null {
  const sorted = issues.toSorted((one, other) => rank(one) - rank(other));
  const [worst] = sorted;
  if (worst === undefined) return null;
  const value = joinedValue(headers, header);
  const cut = value !== null && !full && value.length > SHOWN_VALUE;
  return {
    header,
    severity: ISSUES[worst.code].severity,
    present: value !== null,
    valid: value !== null && !issues.some(({ code }) => 'ignored' in ISSUES[code]),
    value: value === null ? null : cleanText(cut ? value.slice(0, SHOWN_VALUE) : value),
    ...(cut ? { total_value_length: value.length } : null),
    issues: sorted.map(({ code }) => code),
    description: sorted.map(described).join(' '),
    remediation: [...new Set(sorted.map(({ code }) => ISSUES[code].fix))].join(' '),
    reference,
  };
}

function rank({ code }: Issue): number {
  return SEVERITIES.indexOf(ISSUES[code].severity);
}

function described({ code, about = [] }: Issue): string {
  const { says } = ISSUES[code];
  if (about.length === 0) return says;
  const names = about.slice(0, SHOWN_ABOUT).map((name) => shownText(name, LONGEST_ABOUT));
  const more = about.length > SHOWN_ABOUT ? ` and ${about.length - SHOWN_ABOUT} more` : '';
  return `${says.slice(0, -1)} (${names.join(', ')}${more}).`;
}

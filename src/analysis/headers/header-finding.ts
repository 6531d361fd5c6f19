import { cleanText, summarizeList } from '../display-text.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';
import type { HeaderSeverity } from './header-issue.ts';
import { HEADER_ISSUES, type HeaderIssueCode } from './header-issues.ts';
import { compareFindings } from '../finding.ts';

export interface HeaderIssue {
  code: HeaderIssueCode;
  /** What in the value it is about: sources, names. */
  subjects?: readonly string[];
}

/** What a check has to say of one header. */
export interface HeaderCheckResult {
  /** As it is written in standards. */
  header: string;
  issues: HeaderIssue[];
  reference: string;
}

export interface HeaderFinding {
  header: string;
  severity: HeaderSeverity;
  present: boolean;
  /** Browsers do what the value says. */
  valid: boolean;
  value: string | null;
  /** Characters of the value, where it is longer than what `value` has of it. */
  total_value_length?: number;
  issues: HeaderIssueCode[];
  description: string;
  remediation: string;
  reference: string;
}

const MAX_VALUE_LENGTH = 500;

/** The finding of one header: its severity is that of its worst issue, which comes first. Null without issues. */
export function toHeaderFinding(
  { header, issues, reference }: HeaderCheckResult,
  headers: HeaderMap,
  full: boolean,
): HeaderFinding | null {
  const sorted = issues.toSorted((one, other) => compareFindings(HEADER_ISSUES[one.code], HEADER_ISSUES[other.code]));
  const [worst] = sorted;
  if (worst === undefined) return null;
  const value = joinedValue(headers, header);
  const cut = value !== null && !full && value.length > MAX_VALUE_LENGTH;
  return {
    header,
    severity: HEADER_ISSUES[worst.code].severity,
    present: value !== null,
    valid: value !== null && !issues.some(({ code }) => 'ignored' in HEADER_ISSUES[code]),
    value: value === null ? null : cleanText(cut ? value.slice(0, MAX_VALUE_LENGTH) : value),
    ...(cut ? { total_value_length: value.length } : null),
    issues: sorted.map(({ code }) => code),
    description: sorted.map(describeIssue).join(' '),
    remediation: [...new Set(sorted.map(({ code }) => HEADER_ISSUES[code].remediation))].join(' '),
    reference,
  };
}

function describeIssue({ code, subjects = [] }: HeaderIssue): string {
  const { description } = HEADER_ISSUES[code];
  return subjects.length === 0 ? description : `${description.slice(0, -1)} (${summarizeList(subjects)}).`;
}

import type { Issue, Judgement } from '../headers/finding.ts';
import { type HeaderMap, joinedValue } from '../headers/header-map.ts';
import { ISSUES } from '../headers/issues.ts';
import { shownLine } from '../text.ts';
import { shownList } from './faults.ts';
import type { ModuleResult } from './modules.ts';

const SHOWN_VALUE = 300;
const SHOWN_ABOUT = 5;
const LONGEST_ABOUT = 80;
/** What the code of an issue begins with says no more than its header. */
const PREFIX = /^(csp|hsts|xfo|framing|nosniff|referrer|permissions|coop|coep|corp|cookie|cors)_/;

/** One finding for each issue that weighs something; the others are told in the details. */
export function headerFindings(judgements: readonly Judgement[], headers: HeaderMap): ModuleResult {
  const result: ModuleResult = { details: [], findings: [] };
  for (const { header, issues, reference } of judgements) {
    const value = joinedValue(headers, header);
    for (const issue of issues) {
      const { severity, says, fix } = ISSUES[issue.code];
      if (severity === 'info') {
        result.details.push(`${header}: ${says}`);
        continue;
      }
      result.findings.push({
        id: issue.code,
        severity,
        title: `${header}: ${issue.code.replace(PREFIX, '').replaceAll('_', ' ')}`,
        description: says,
        remediation: fix,
        reference,
        evidence: evidenceOf(issue, value),
      });
    }
  }
  return result;
}

/** What the issue is about, else the value. */
function evidenceOf({ about = [] }: Issue, value: string | null): string | null {
  if (about.length > 0) return shownList(about, SHOWN_ABOUT, LONGEST_ABOUT);
  return value === null ? null : shownLine(value, SHOWN_VALUE);
}

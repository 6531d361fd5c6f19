import type { HeaderIssue, HeaderCheckResult } from '../headers/header-finding.ts';
import { type HeaderMap, joinedValue } from '../headers/header-map.ts';
import { HEADER_ISSUES } from '../headers/header-issues.ts';
import { displayLine, summarizeList } from '../display-text.ts';
import type { ModuleResult } from './modules.ts';

const MAX_VALUE_LENGTH = 300;
/** What the code of an issue begins with says no more than its header. */
const ISSUE_ID_PREFIX = /^(csp|hsts|xfo|framing|nosniff|referrer|permissions|coop|coep|corp|cookie|cors)_/;

/** One finding for each issue that costs points; the others are listed in the details. */
export function toHeaderModuleResult(judgements: readonly HeaderCheckResult[], headers: HeaderMap): ModuleResult {
  const result: ModuleResult = { details: [], findings: [] };
  for (const { header, issues, reference } of judgements) {
    const value = joinedValue(headers, header);
    for (const issue of issues) {
      const { severity, description, remediation } = HEADER_ISSUES[issue.code];
      if (severity === 'INFO') {
        result.details.push(`${header}: ${description}`);
        continue;
      }
      result.findings.push({
        id: issue.code,
        severity,
        title: headerIssueTitle(header, issue.code),
        description,
        remediation,
        reference,
        evidence: issueEvidence(issue, value),
      });
    }
  }
  return result;
}

/** An issue of a header in a few words. */
export function headerIssueTitle(header: string, code: string): string {
  return `${header}: ${code.replace(ISSUE_ID_PREFIX, '').replaceAll('_', ' ')}`;
}

/** What the issue is about, else the value. */
function issueEvidence({ subjects = [] }: HeaderIssue, value: string | null): string | null {
  if (subjects.length > 0) return summarizeList(subjects);
  return value === null ? null : displayLine(value, MAX_VALUE_LENGTH);
}

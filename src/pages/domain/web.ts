import type { z } from 'zod';
import { type DomainFinding, headersVerdict, type PartVerdict } from '../../analysis/domain-verdict.ts';
import { headerIssueTitle } from '../../analysis/scan/header-findings.ts';
import { suggestHeaderLine } from '../../analysis/headers/suggest-header.ts';
import { capitalize, describeScore, formatCount } from '../../engine/summary.ts';
import type { scanHeaders } from '../../operations/web/scan-headers.ts';
import { html, type Html } from '../html.ts';
import { foreignLink } from '../links.ts';
import { gradeBadge, severityBadge } from '../parts/severity.ts';
import { withFindingLinks } from './finding.ts';

export type WebAnswer = z.output<(typeof scanHeaders)['output']>;

/** Whether response headers protect visitors. */
export function judgeWeb({ grade }: WebAnswer): PartVerdict {
  return headersVerdict(grade);
}

/** What response headers lack. */
export function webFindings({ findings }: WebAnswer): DomainFinding[] {
  return findings.map(({ header, severity, value, issues, description, remediation, reference }) => {
    const line = issues.map(suggestHeaderLine).find((suggested) => suggested !== null) ?? null;
    return {
      id: `web.${header.toLowerCase()}`,
      part: 'web',
      severity,
      exploited: false,
      cves: [],
      title: headerIssueTitle(header, issues[0]!),
      why: description,
      fix: remediation,
      paste: line === null ? null : { place: `Response header of the web server${tryFirst(line)}`, text: line },
      guide: null,
      evidence: value,
      reference,
    };
  });
}

function tryFirst(line: string): string {
  return line.startsWith('Content-Security-Policy:')
    ? '; send it as Content-Security-Policy-Report-Only until nothing is reported'
    : '';
}

/** What the web server says to browsers. */
export function drawWeb(answer: WebAnswer): Html {
  const { url, status_code, grade, score, headers_present, headers_missing } = answer;
  const observations = answer.findings.filter(({ severity }) => severity === 'INFO');
  return html`<h2>Web: ${judgeWeb(answer).text}</h2>
<p>${gradeBadge(grade)} ${describeScore(score, 'higher')}, for response headers of ${foreignLink(url)}, status ${status_code}.</p>
${withFindingLinks(
  html`<dl class="facts">
<dt>Sent</dt><dd>${headers_present.join(', ') || 'none of those that are recommended'}</dd>
<dt>Missing</dt><dd>${headers_missing.join(', ') || 'none'}</dd>
</dl>`,
  webFindings(answer),
)}
${observations.length > 0 && html`<details><summary>${capitalize(formatCount(observations.length, 'observation'))} without risk</summary><ul>${observations.map(({ header, description }) => html`<li>${severityBadge('INFO')} ${header}: ${description}</li>`)}</ul></details>`}`;
}

import type { z } from 'zod';
import { parseHeaderText } from '../../analysis/headers/parse-header-text.ts';
import { ApiError } from '../../errors.ts';
import { checkHeaders } from '../../operations/code/check-headers.ts';
import { fingerprintOf } from '../../operations/code/lib/report/problem.ts';
import { formatCount } from '../../engine/summary.ts';
import { html, join, type Html } from '../html.ts';
import { foreignLink } from '../links.ts';
import type { PageContext } from '../page.ts';
import { copyBlock } from '../parts/evidence-foot.ts';
import { gradeBadge, severityBadge } from '../parts/severity.ts';
import type { TextResult } from './text-result.ts';

type HeaderAnswer = z.output<(typeof checkHeaders)['output']>;

/** Grade, findings and lines to send, of the headers in a text. */
export async function headerResult(text: string, file: string, id: string, context: PageContext): Promise<TextResult> {
  const { headers, other } = parseHeaderText(text);
  if (Object.keys(headers).length === 0) {
    throw new ApiError('invalid_argument', 'No line is a header: one looks like "X-Frame-Options: DENY".');
  }
  const answer = await context.ask(checkHeaders, { headers });
  const serious = answer.findings.filter(({ severity }) => severity !== 'INFO');
  return {
    sentence: `Grade ${answer.grade}: ${serious.length === 0 ? 'nothing to mend' : `${formatCount(serious.length, 'header')} to mend`}`,
    problems: serious.map((finding) => ({
      check: 'headers',
      rule: finding.issues[0]!,
      aliases: [],
      title: `${finding.header}: ${finding.description}`,
      severity: finding.severity as 'HIGH' | 'MEDIUM' | 'LOW',
      file,
      line: null,
      column: null,
      length: null,
      package: null,
      message: finding.description,
      remediation: finding.remediation,
      score: null,
      fingerprint: fingerprintOf(finding.header, finding.issues[0]!, file),
      suppression: null,
      known_before: null,
    })),
    dependencies: null,
    body: html`
<ul class="verdict"><li>${gradeBadge(answer.grade)}</li><li>${answer.score} of 100</li><li>${formatCount(Object.keys(headers).length, 'header')} read, as sent over HTTPS${other > 0 && `; ${formatCount(other, 'line')} is no header`}</li></ul>
${linesToAdd(answer, id)}
${findingList(answer, id)}
${answer.headers_present.length > 0 && html`<p class="note">Sent already: ${join(answer.headers_present, ', ')}.</p>`}`,
  };
}

function linesToAdd({ lines_to_add }: HeaderAnswer, id: string): Html | false {
  if (lines_to_add.length === 0) return false;
  return html`<div class="do"><p><strong>Do:</strong> send ${lines_to_add.length === 1 ? 'this' : 'these'}; the policy for content is one to begin with</p>
${copyBlock(`${id}-lines`, 'Headers', lines_to_add.join('\n'))}</div>`;
}

function findingList({ findings }: HeaderAnswer, id: string): Html | false {
  if (findings.length === 0) return false;
  return html`<section id="${id}-findings"><h2>Header by header</h2>
<ol class="marked-findings">${findings.map(
    ({ header, severity, value, description, remediation, reference }) =>
      html`<li>${severityBadge(severity)} <span class="id">${header}</span>: ${description}${value !== null && html` <code>${value}</code>`}
<br><strong>Mend:</strong> ${remediation} <small>${foreignLink(reference, 'Reference')}</small></li>
`,
  )}</ol></section>`;
}

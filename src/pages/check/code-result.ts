import type { z } from 'zod';
import { checkInjection } from '../../operations/code/check-injection.ts';
import { checkSecrets } from '../../operations/code/check-secrets.ts';
import { codeRuleText } from '../../operations/code/lib/report/rule-texts.ts';
import { toCodeProblem } from '../../operations/code/lib/report/to-problem.ts';
import { formatCount } from '../../engine/summary.ts';
import { compareSeverity } from '../../analysis/severity.ts';
import { html, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import type { Outcome, PageContext } from '../page.ts';
import { SEVERITIES, severityBadge } from '../parts/severity.ts';
import { errorNote } from '../parts/states.ts';
import { markedText, type Mark } from './marked-text.ts';
import type { TextResult } from './text-result.ts';

type Secrets = z.output<(typeof checkSecrets)['output']>;
type Injections = z.output<(typeof checkInjection)['output']>;
type Finding = Secrets['findings'][number];

/** Secrets and injections in code. `language` undefined: only secrets are looked for. Throws where neither could be asked. */
export async function codeResult(
  code: string,
  { language, file, id }: { language?: string | null; file: string; id: string },
  context: PageContext,
): Promise<TextResult> {
  const named = { code, language: language ?? 'auto' };
  const [secrets, injections] = await Promise.all([
    context.tryAsk(checkSecrets, named),
    language === undefined ? null : context.tryAsk(checkInjection, named),
  ]);
  if (secrets.error !== null && (injections === null || injections.error !== null)) throw secrets.error;
  const found = [
    ...(secrets.answer?.findings ?? []).map((finding) => ({ ...finding, check: 'secrets' as const })),
    ...(injections?.answer?.findings ?? []).map((finding) => ({ ...finding, check: 'injection' as const })),
  ].toSorted((a, b) => compareSeverity(a.severity, b.severity) || a.line - b.line);
  const marks = found.map(
    (finding, at): Mark => ({ ...finding, id: `${id}-${at + 1}`, isSecret: finding.check === 'secrets' }),
  );
  // Secrets that are not listed could not be masked, and without the check none could.
  const canShow = secrets.answer !== null && secrets.answer.total === secrets.answer.findings.length;
  return {
    sentence: sentenceOf(secrets, injections, language),
    problems: found.map((finding) => toCodeProblem({ ...finding, file })),
    dependencies: null,
    body: html`
${verdictStrip(secrets, injections)}
${secrets.error !== null && errorNote(secrets.error, 'Secrets')}
${injections?.error != null && errorNote(injections.error, 'Injections')}
${found.length > 0 && html`<ol class="marked-findings">${found.map((finding, at) => findingItem(finding, `${id}-${at + 1}`, canShow))}</ol>`}
${injections?.answer != null && injections.answer.verdict.gaps.length > 0 && html`<section id="${id}-limits"><h2>Not followed</h2><ul>${injections.answer.verdict.gaps.map((gap) => html`<li>${gap}</li>`)}</ul></section>`}
${found.length > 0 && (canShow ? markedText(code, marks, id) : html`<p class="note">The text is not shown: not every secret in it could be masked.</p>`)}`,
  };
}

/** What was found, and what the text was read as: a text of another kind has no verdict by this. */
function sentenceOf(
  secrets: Outcome<Secrets>,
  injections: Outcome<Injections> | null,
  language: string | null | undefined,
): string {
  const parts = [
    secrets.answer === null ? 'secrets not known' : countOf(secrets.answer.total, 'secret'),
    injections !== null &&
      (injections.answer === null ? 'injections not known' : countOf(injections.answer.total, 'injection')),
  ].filter((part) => part !== false);
  // Of text in no known language it would promise too much.
  if (language === null && injections?.answer?.total === 0) parts.pop();
  const found = parts.join(', ');
  if (language === undefined) return `Read as text: ${found} in it`;
  if (language !== null) return `Read as code (${language}): ${found} in it`;
  return `Not recognised as packages, headers or code of a known language: read as plain text, ${found} in it`;
}

function countOf(total: number, noun: string): string {
  return total === 0 ? `no ${noun} found` : `${formatCount(total, noun)} found`;
}

function verdictStrip(secrets: Outcome<Secrets>, injections: Outcome<Injections> | null): Html {
  const answers = [secrets.answer, injections?.answer].filter((answer) => answer != null);
  const counts = SEVERITIES.slice(0, 4).map((severity) => ({
    severity,
    count: answers.reduce((sum, { by_severity }) => sum + by_severity[severity as keyof Secrets['by_severity']], 0),
  }));
  const answer = injections?.answer;
  return html`<ul class="verdict">
${counts.map(({ severity, count }) => count > 0 && html`<li>${count} ${severityBadge(severity)}</li>`)}
${answer != null && html`<li>${answer.language === null ? 'read line by line: the language is not one that is parsed' : `read as ${answer.language}`}</li>`}
${answer?.parse_errors != null && answer.parse_errors > 0 && html`<li>${formatCount(answer.parse_errors, 'place')} could not be parsed</li>`}
</ul>`;
}

function findingItem(finding: Finding & { check: string }, id: string, canShow: boolean): Html {
  const { type, severity, line, match, description, remediation, check } = finding;
  const cwe = /\/(\d+)\.html$/.exec(codeRuleText(type).helpUri)?.[1];
  const place = `line ${line}`;
  return html`<li id="${id}-finding">${severityBadge(severity)} ${canShow ? link(`#${id}`, place) : place}: ${description}${check === 'secrets' && html` <code>${match}</code>`}
<br><strong>Mend:</strong> ${remediation} <small>rule ${type}${cwe !== undefined && html`, ${link(paths.cwe(`CWE-${cwe}`), `CWE-${cwe}`)}`}</small></li>
`;
}

import { type DomainFinding, rankDomainFindings } from '../../analysis/domain-verdict.ts';
import { ApiError } from '../../errors.ts';
import { html, type Html } from '../html.ts';
import { link, paths, withQuery } from '../links.ts';
import type { PageContent, PageContext } from '../page.ts';
import { exploitedBadge, severityBadge } from '../parts/severity.ts';
import { errorNote, stateNote } from '../parts/states.ts';
import { domainHeading } from './heading.ts';
import { findingBody, findingList } from './finding.ts';
import { type Part, PARTS } from './parts.ts';
import { verdictOfError } from './verdict-item.ts';

/** The part with an id. Throws 400 for another. */
export function requirePart(id: string): Part {
  if (Object.hasOwn(PARTS, id)) return PARTS[id]!;
  throw new ApiError('invalid_argument', `There is no part of that name. Parts: ${Object.keys(PARTS).join(', ')}.`);
}

/** One part of a domain alone: the link to send to the person who mends it. All of its findings are open, observations after them. */
export async function renderPart(domain: string, part: Part, context: PageContext): Promise<PageContent> {
  const { answer, error } = await context.tryAsk(part.operation, { domain });
  if (error?.code === 'not_found') throw error;
  const verdict = answer === null ? verdictOfError(error) : part.judge(answer);
  const found = answer === null ? [] : part.findings(answer);
  const findings = rankDomainFindings(found);
  const observations = found.filter(({ severity, guide }) => severity === 'INFO' && guide !== null);
  return {
    title: `${domain}: ${part.name}, ${verdict.text}`,
    description:
      answer === null ? error.message : typeof answer['summary'] === 'string' ? answer['summary'] : verdict.text,
    main: html`${domainHeading(domain)}
<p class="verdict-line">${part.name}: <strong>${verdict.text}</strong></p>
${findings.length > 1 && html`<ul class="index screen" aria-label="Findings">${findings.map(({ id, severity, title }) => html`<li>${severityBadge(severity)} ${link(`#${id}`, title)}</li>`)}</ul>`}
${findings.length > 0 && html`<h2 id="mend">${findings.length === 1 ? 'One finding to mend' : `${findings.length} findings to mend, the worst first`}</h2>${findingList(findings, domain, true)}`}
${observations.length > 0 && html`<h2 id="observations">To look at</h2>${findingList(observations, domain, true)}`}
${answer === null ? errorNote(error, part.name) : part.draw(answer)}
${backLink(domain)}`,
  };
}

/** One finding alone, as a link in a ticket shows it. It is looked for anew: what is mended is gone. */
export async function renderFinding(domain: string, id: string, context: PageContext): Promise<PageContent> {
  const part = requirePart(id.split('.')[0]!);
  const { answer, error } = await context.tryAsk(part.operation, { domain });
  if (error?.code === 'not_found') throw error;
  const finding = answer === null ? null : (part.findings(answer).find((each) => each.id === id) ?? null);
  const title = finding?.title ?? (answer === null ? 'not known' : 'not found any more');
  return {
    title: `${domain}: ${title}`,
    description: finding?.why ?? finding?.fix ?? `${part.name} of ${domain}: ${title}.`,
    main: html`${domainHeading(domain)}
${finding !== null ? drawFinding(finding, domain) : answer === null ? errorNote(error, part.name) : stateNote('empty', 'Not found any more', `${part.name} of ${domain} was looked at just now, and this finding is not there: it is mended, or the link is of another domain.`)}
<p class="alone">${link(withQuery(paths.domain(domain), { part: part.id }), `${part.name} of ${domain}`)}</p>
${backLink(domain)}`,
  };
}

function drawFinding(finding: DomainFinding, domain: string): Html {
  return html`<h2 id="${finding.id}">${finding.title}</h2><p>${severityBadge(finding.severity)} ${finding.exploited && exploitedBadge()}</p>${findingBody(finding, domain)}`;
}

function backLink(domain: string): Html {
  return html`<p class="alone">${link(paths.domain(domain), `All of ${domain}`)}</p>`;
}

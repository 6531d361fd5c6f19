import { type DomainFinding, rankDomainFindings } from '../analysis/domain-verdict.ts';
import { parseDomainName } from '../analysis/domain-name.ts';
import { ApiError } from '../errors.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { dnsLookup } from '../operations/domain/dns-lookup.ts';
import { domainReport } from '../operations/domain/domain-report.ts';
import { costOf, HISTORY, MAIL, type Part, SCAN, TECHNOLOGIES, TLS, WEB } from './domain/parts.ts';
import { type DnsAnswer, drawDns, hasAddress } from './domain/dns.ts';
import { findingList } from './domain/finding.ts';
import { domainHeading } from './domain/heading.ts';
import { missingDomain, notADomain } from './domain/no-domain.ts';
import { renderFinding, renderPart, requirePart } from './domain/part-page.ts';
import {
  drawNames,
  drawRegistration,
  drawRisk,
  drawThreats,
  judgeRegistration,
  judgeThreats,
  type ReportAnswer,
} from './domain/report.ts';
import { lateVerdict, verdictItem } from './domain/verdict-item.ts';
import { html, join, type Html } from './html.ts';
import { readyPart } from './late-parts.ts';
import { link, paths, withQuery } from './links.ts';
import {
  definePage,
  type LatePart,
  type Outcome,
  type PageContent,
  type PageContext,
  type PageRequest,
} from './page.ts';
import { errorNote, stateNote } from './parts/states.ts';
import { watchLink } from './parts/watch-link.ts';

/** `/domain/:domain`: the report in parts as they come; `?open=all` with all findings open, `?part=` one part alone with its findings open, `?finding=` one finding. */
export const domain = definePage({
  path: '/domain/:domain',
  question({ params, query }) {
    const part = query.get('part');
    return {
      operation: part === null ? domainReport : requirePart(part).operation,
      input: { domain: params['domain'] },
    };
  },
  async render(request, context) {
    const text = request.params['domain']!;
    const name = parseDomainName(text.trim());
    if (name === null) return notADomain(text, inputError(text));
    if (name !== text) return { redirectTo: sameQuery(paths.domain(name), request) };
    try {
      const [finding, part] = [request.query.get('finding'), request.query.get('part')];
      if (finding !== null) return await renderFinding(name, finding, context);
      if (part !== null) return await renderPart(name, requirePart(part), context);
      const isOpen = request.query.get('open') === 'all';
      return renderReport(name, await context.ask(dnsLookup, { domain: name }), context, isOpen);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return missingDomain(name, error);
      throw error;
    }
  },
});

/** Shown in this order; the sections after them come from the report. */
const SECTIONS = [
  ['mail', 'Mail'],
  ['web', 'Web'],
  ['tls', 'TLS'],
  ['technologies', 'Technologies'],
  ['names', 'Names and certificates'],
  ['registration', 'Registration'],
  ['threats', 'Threat lists'],
  ['dns', 'DNS'],
  ['more', 'Scan and history'],
] as const;

function renderReport(name: string, dns: DnsAnswer, context: PageContext, isOpen: boolean): PageContent {
  const withWeb = hasAddress(dns) !== false;
  const asked = [MAIL, ...(withWeb ? [WEB, TLS, TECHNOLOGIES] : [])] as unknown as Part[];
  const outcomes = asked.map((part) => ({ part, asked: context.tryAsk(part.operation, { domain: name }) }));
  const report = context.tryAsk(domainReport, { domain: name });
  const cost = [dnsLookup, domainReport, ...asked.map(({ operation }) => operation)].reduce(
    (sum, operation) => sum + costOf({ operation }),
    0,
  );
  return {
    title: `${name}: domain report`,
    description: `${dns.summary} Mail, web, TLS, technologies, names, registration and threat lists, with what to mend first.`,
    main: html`${domainHeading(name)}
<nav class="parts" aria-label="Parts of this page"><ul>${SECTIONS.map(([id, title]) => html`<li>${link(`#${id}`, title)}</li>`)}<li>${watchLink({ domain: name })}</li></ul></nav>`,
    parts: [
      lateRisk(report, outcomes),
      ...outcomes.map(({ part, asked }) =>
        lateVerdict(part.id, part.name, asked, part.judge, (answer) => linkToFindings(name, part, answer)),
      ),
      ...(withWeb ? [] : [noWebVerdict()]),
      lateVerdict('registration', 'Registration', report, judgeRegistration),
      lateVerdict('threats', 'Threat lists', report, judgeThreats),
      lateMendFirst(name, outcomes, isOpen),
      ...outcomes.map(({ part, asked }) => latePart(name, part, asked)),
      ...(withWeb ? [] : [noWeb()]),
      lateReportPart('names', 'Names and certificates', report, drawNames),
      lateReportPart('registration', 'Registration', report, drawRegistration),
      lateReportPart('threats', 'Threat lists', report, drawThreats),
      readyPart('dns', drawDns(dns)),
      readyPart('more', drawMore(name, cost)),
    ],
  };
}

type Asked = readonly { readonly part: Part; readonly asked: Promise<Outcome<Record<string, unknown>>> }[];

/** The risk waits for all parts: what stands open in one of them counts. */
function lateRisk(report: Promise<Outcome<ReportAnswer>>, asked: Asked): LatePart {
  const draw = async (): Promise<Html> => {
    const [{ answer, error }, { findings, silent }] = await Promise.all([report, collectFindings(asked)]);
    return answer === null
      ? html`<p class="part-verdict risk tone-unknown"><span>Risk</span> <strong>not known</strong> <span>${error.message}</span></p>`
      : drawRisk(
          answer,
          findings,
          silent.map((name) => name.toLowerCase()),
        );
  };
  return {
    id: 'risk',
    box: 'strip',
    waiting: html`<p class="part-verdict risk tone-unknown"><span>Risk</span> <em>being worked out; the slowest source has 12 seconds</em></p>`,
    content: draw(),
  };
}

/** The findings of all parts, and the names of those that did not answer. */
async function collectFindings(asked: Asked): Promise<{ findings: DomainFinding[]; silent: string[] }> {
  const outcomes = await Promise.all(asked.map(async ({ part, asked }) => ({ part, ...(await asked) })));
  return {
    findings: outcomes.flatMap(({ part, answer }) => (answer === null ? [] : part.findings(answer))),
    silent: outcomes.filter(({ answer }) => answer === null).map(({ part }) => part.name),
  };
}

/** Findings of all parts in the order to mend them; a part without an answer is named. */
function lateMendFirst(domain: string, asked: Asked, isOpen: boolean): LatePart {
  const draw = async (): Promise<Html> => {
    const { findings: all, silent } = await collectFindings(asked);
    const findings = rankDomainFindings(all);
    const note = silent.length > 0 && html`<p class="note">Not known, so not in this list: ${join(silent, ', ')}.</p>`;
    if (findings.length > 0)
      return html`<h2>Mend first</h2>${openLink(domain, findings.length, isOpen)}${findingList(findings, domain, isOpen)}${note}`;
    return html`<h2>${silent.length > 0 ? 'Nothing to mend in what answered' : 'Nothing to mend'}</h2>${note || html`<p>None of the rules found anything.</p>`}`;
  };
  return {
    id: 'mend',
    waiting: html`<h2>Mend first</h2><p>Findings are listed here when mail, web, TLS and technologies have answered.</p>`,
    content: draw(),
  };
}

/** All findings open, or closed again: a state of the address, so that it works without scripts and can be sent. */
function openLink(domain: string, count: number, isOpen: boolean): Html | null {
  if (count < 2) return null;
  const path = `${withQuery(paths.domain(domain), { open: isOpen ? null : 'all' })}#mend`;
  return html`<p class="alone screen">${link(path, isOpen ? 'Open the first alone' : `Open all ${count} findings`)} <span class="note">asks again</span></p>`;
}

/** The address of all findings of a part, where there are some. */
function linkToFindings(domain: string, part: Part, answer: Record<string, unknown>): Html | null {
  const { length } = rankDomainFindings(part.findings(answer));
  return length === 0 ? null : link(withQuery(paths.domain(domain), { part: part.id }), `${length} to mend`);
}

function latePart(domain: string, part: Part, asked: Asked[number]['asked']): LatePart {
  const { id, name, waiting, draw } = part;
  return {
    id,
    waiting: html`<h2>${name}</h2><p>${waiting}</p>`,
    content: asked.then(({ answer, error }) =>
      answer === null ? failed(name, error) : html`${draw(answer)}${alone(domain, part, answer)}`,
    ),
  };
}

/** The link to send to the person who mends a part. */
function alone(domain: string, part: Part, answer: Record<string, unknown>): Html {
  const { length } = rankDomainFindings(part.findings(answer));
  const text = length === 0 ? `${part.name} alone` : `${part.name} alone, all of its findings open (${length})`;
  return html`<p class="alone screen">${link(withQuery(paths.domain(domain), { part: part.id }), text)} <span class="note">a link to send</span></p>`;
}

function lateReportPart(
  id: string,
  name: string,
  report: Promise<Outcome<ReportAnswer>>,
  draw: (answer: ReportAnswer) => Html,
): LatePart {
  return {
    id,
    waiting: html`<h2>${name}</h2><p>Registries, certificate logs and threat lists are being asked.</p>`,
    content: report.then(({ answer, error }) => (answer === null ? failed(name, error) : draw(answer))),
  };
}

function failed(name: string, error: ApiError): Html {
  return html`<h2>${name}</h2>${errorNote(error, name)}`;
}

function noWebVerdict(): LatePart {
  return {
    ...readyPart('verdict-web', verdictItem('Web', { text: 'no address, so no site', tone: 'none' })),
    box: 'strip',
  };
}

function noWeb(): LatePart {
  return readyPart(
    'web',
    html`<h2>No web server</h2>${stateNote('empty', 'The name has no address', 'Without an A or AAAA record there is no web server, no certificate and no technology to look at.')}`,
  );
}

/** What costs more, behind links that say what. */
function drawMore(name: string, cost: number): Html {
  const button = (part: { id: string; operation: { cost: unknown } }, text: string): Html =>
    html`<li>${link(withQuery(paths.domain(name), { part: part.id }), text)} <span class="note">${costOf(part)} ${costOf(part) === 1 ? 'token' : 'tokens'}</span></li>`;
  return html`<h2>Scan and history</h2>
<ul class="plain">${button(SCAN, 'Scan the site: 11 modules, from redirects to cookies and DNSSEC')}${button(HISTORY, 'Since when the site is archived, and how it looked')}</ul>
<p class="note">This page was asked with ${cost} tokens of your quota.</p>`;
}

function inputError(text: string): ApiError {
  try {
    parseInput(dnsLookup, { domain: text });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return new ApiError('invalid_argument', 'This is not a domain name.');
}

function sameQuery(path: string, { query }: PageRequest): string {
  return withQuery(path, Object.fromEntries(query));
}

import { parseCveId } from '../analysis/cve/cve-id.ts';
import { calculateRiskScore } from '../operations/cve/calculate-risk-score.ts';
import { cveDetection } from '../operations/cve/cve-detection.ts';
import { cveLookup } from '../operations/cve/cve-lookup.ts';
import { epssHistory } from '../operations/cve/epss-history.ts';
import { exploitLookup } from '../operations/cve/exploit-lookup.ts';
import { affectedSection, readAffectedQuestion } from './cve/affected-form.ts';
import type { Cve } from './cve/answers.ts';
import { detectionSection } from './cve/detection.ts';
import { epssSection } from './cve/epss.ts';
import { exploitsSection, timelineSection } from './cve/exploits.ts';
import { allProducts, productsSection } from './cve/products.ts';
import { allReferences, referencesSection } from './cve/references.ts';
import { scorersSection } from './cve/scorers.ts';
import { unknownCve } from './cve/unknown-cve.ts';
import { shortVerdict, titleOf, verdictStrip } from './cve/verdict.ts';
import { whatToDo } from './cve/what-to-do.ts';
import { html, type Html } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { definePage, type LatePart, type PageContent, type PageContext, type PageRequest } from './page.ts';
import { stateNote } from './parts/states.ts';

/** `/cve/:id`: one CVE. `?product=&version=` or `?purl=` asks whether a version is affected, `?all=products` shows what is long. */
export const cve = definePage({
  path: '/cve/:id',
  question: ({ params }) => ({ operation: cveLookup, input: { cve_id: params.id } }),
  async render(request, context) {
    const given = request.params.id!;
    const id = parseCveId(given) ?? given;
    if (id !== given) return redirect(id, request);
    const { answer, error } = await context.tryAsk(cveLookup, {
      cve_id: id,
      include_affected_products: true,
      include_reference_tags: true,
      include_severity_breakdown: true,
    });
    if (error?.code === 'not_found') return unknownCve(id);
    if (error !== null) throw error;
    const all = request.query.get('all');
    if (all === 'products') return detailPage(answer, 'products', allProducts(answer, readOffset(request)));
    if (all === 'references') return detailPage(answer, 'references', allReferences(answer));
    return mainPage(answer, request, context);
  },
});

function redirect(id: string, { url }: PageRequest): PageContent {
  const [, query = ''] = url.split(/\?(.*)/s);
  return {
    title: id,
    description: id,
    main: html``,
    redirectTo: `${paths.cve(id)}${query === '' ? '' : `?${new URLSearchParams(query).toString()}`}`,
  };
}

async function mainPage(record: Cve, request: PageRequest, context: PageContext): Promise<PageContent> {
  const { cve_id, rejected } = record;
  const [exposed, internal, epss, detection, affected] = await Promise.all([
    context.askCatalog(calculateRiskScore, { cve_id, exposed: true }),
    context.askCatalog(calculateRiskScore, { cve_id, exposed: false }),
    context.tryAskCatalog(epssHistory, { cve_id }),
    context.tryAskCatalog(cveDetection, { cve_id }),
    rejected ? null : affectedSection(record, readAffectedQuestion(request.query), context),
  ]);
  return {
    ...heads(record),
    main: html`${heading(record)}
${verdictStrip(record, epss.answer)}
${whatToDo(record, exposed, internal, context.now)}
${affected}
${descriptionSection(record)}
${!rejected && [contents(), scorersSection(record), productsSection(record)]}`,
    parts: rejected
      ? [ready('references', referencesSection(record))]
      : [
          ...lateParts(record, context),
          ready('detection', detectionSection(detection)),
          ready('epss', epssSection(epss)),
          ready('references', referencesSection(record)),
        ],
  };
}

/** What asks sources outside: exploits, and the timeline with their days. */
function lateParts(record: Cve, context: PageContext): LatePart[] {
  const exploits = context.tryAsk(exploitLookup, { cve_id: record.cve_id });
  return [
    {
      id: 'exploits',
      waiting: html`<h2>Public exploits</h2><p>Asking Exploit-DB, GitHub and Shodan …</p>`,
      content: exploits.then(exploitsSection),
    },
    {
      id: 'timeline',
      waiting: html`<h2>Timeline</h2><p>Waiting for the days of exploits …</p>`,
      content: exploits.then((outcome) => timelineSection(record, outcome)),
    },
  ];
}

function ready(id: string, markup: Html): LatePart {
  return { id, waiting: html``, content: Promise.resolve(markup) };
}

function contents(): Html {
  return html`<nav aria-label="On this page"><ul class="tabs">${SECTIONS.map(([id, name]) => html`<li>${link(`#${id}`, name)}</li>`)}</ul></nav>`;
}

const SECTIONS = [
  ['scorers', 'Scorers'],
  ['products', 'Products'],
  ['exploits', 'Exploits'],
  ['timeline', 'Timeline'],
  ['detection', 'How it would be seen'],
  ['epss', 'EPSS'],
  ['references', 'References'],
] as const;

function detailPage(record: Cve, what: string, main: Html): PageContent {
  const { cve_id } = record;
  return {
    ...heads(record),
    title: `${cve_id}: all ${what}`,
    main: html`<h1>All ${what} of ${link(paths.cve(cve_id), html`<span class="id">${cve_id}</span>`)}</h1>${main}`,
  };
}

function readOffset({ query }: PageRequest): number {
  const from = Number(query.get('from') ?? 0);
  return Number.isSafeInteger(from) && from > 0 ? from : 0;
}

function heads(record: Cve): Pick<PageContent, 'title' | 'description' | 'picture'> {
  const title = titleOf(record);
  return {
    title: `${record.cve_id} ${shortVerdict(record)}${title === null ? '' : `: ${title}`}`,
    description: record.summary,
    picture: `/picture/cve/${record.cve_id}.svg`,
  };
}

function heading(record: Cve): Html {
  return html`<h1><span class="id">${record.cve_id}</span> ${titleOf(record)}</h1>`;
}

function descriptionSection(record: Cve): Html {
  const { description, fact_sources, status, rejected, sources } = record;
  const isDisputed = record.tags.includes('disputed');
  return html`<section id="description"><h2>${rejected ? 'Why it was rejected' : 'What it is'}</h2>
${rejected && stateNote('empty', 'Rejected', 'The id must not be used. What named it before may have another id: the text below says which.')}
${isDisputed && stateNote('partial', 'Disputed', 'Someone, often the maker, does not agree that this is a vulnerability.')}
${sources.length === 1 && !rejected && stateNote('partial', `Known to one source only: ${sources[0]}`, 'Nobody else confirms or completes its facts.')}
<p class="text">${description ?? html`<span class="unknown">No source describes it.</span>`}</p>
<p class="note">Text: ${fact_sources.description ?? 'not known'}. Status: ${status ?? 'not known'}. Known to ${sources.join(', ')}. ${link(withQuery('/search', { q: record.cve_id }), 'Search')}</p></section>`;
}

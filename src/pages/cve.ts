import { parseCveId } from '../analysis/cve/cve-id.ts';
import { truncateAtWord } from '../analysis/display-text.ts';
import { MAX_OFFSET } from '../engine/paged-list.ts';
import { calculateRiskScore } from '../operations/cve/calculate-risk-score.ts';
import { cveDetection } from '../operations/cve/cve-detection.ts';
import { cveLookup } from '../operations/cve/cve-lookup.ts';
import { cveVex } from '../operations/cve/cve-vex.ts';
import { epssHistory } from '../operations/cve/epss-history.ts';
import { exploitLookup } from '../operations/cve/exploit-lookup.ts';
import { readAskedVersion } from './asked-version.ts';
import { affectedSection, readAffectedQuestion } from './cve/affected-form.ts';
import type { Cve } from './cve/answers.ts';
import { detectionSection } from './cve/detection.ts';
import { epssSection, epssTrend } from './cve/epss.ts';
import { exploitsSection, timelineSection } from './cve/exploits.ts';
import { allProducts, productsSection } from './cve/products.ts';
import { allReferences, referencesSection } from './cve/references.ts';
import { scorersSection } from './cve/scorers.ts';
import { unknownCve } from './cve/unknown-cve.ts';
import { allVex, countVex, VEX_LISTED, VEX_PAGE, vexSection } from './cve/vex.ts';
import { shortVerdict, titleOf, verdictStrip } from './cve/verdict.ts';
import { whatToDo } from './cve/what-to-do.ts';
import { html, type Html } from './html.ts';
import { readyPart } from './late-parts.ts';
import { link, paths, withQuery } from './links.ts';
import {
  definePage,
  type LatePart,
  type PageContent,
  type PageContext,
  type PageDocument,
  type PageRequest,
} from './page.ts';
import { markdown } from './parts/prose.ts';
import { stateNote } from './parts/states.ts';
import { watchLink } from './parts/watch-link.ts';

/** A longer description is cut; the JSON has all of it. */
const MAX_DESCRIPTION_CHARACTERS = 20_000;
const LONG_DESCRIPTION_CHARACTERS = 1500;

/** `/cve/:id`: one CVE. `?product=&version=` or `?purl=` asks whether a version is affected, `?all=products` (`references`, `vex`) shows what is long. */
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
    if (all === 'vex') {
      const input = { cve_id: id, limit: VEX_PAGE, offset: Math.min(readOffset(request), MAX_OFFSET) };
      return detailPage(answer, 'VEX statements', allVex(answer, await context.askCatalog(cveVex, input)));
    }
    return mainPage(answer, request, context);
  },
});

function redirect(id: string, { url }: PageRequest): PageContent {
  const [, query = ''] = url.split(/\?(.*)/s);
  return { redirectTo: `${paths.cve(id)}${query === '' ? '' : `?${new URLSearchParams(query).toString()}`}` };
}

async function mainPage(record: Cve, request: PageRequest, context: PageContext): Promise<PageContent> {
  const { cve_id, rejected } = record;
  const [exposed, internal, epss, detection, affected, vex] = await Promise.all([
    context.askCatalog(calculateRiskScore, { cve_id, exposed: true }),
    context.askCatalog(calculateRiskScore, { cve_id, exposed: false }),
    context.tryAskCatalog(epssHistory, { cve_id }),
    context.tryAskCatalog(cveDetection, { cve_id }),
    rejected ? null : affectedSection(record, readAffectedQuestion(request.query), context),
    rejected || countVex(record) === 0 ? null : context.tryAskCatalog(cveVex, { cve_id, limit: VEX_LISTED }),
  ]);
  return {
    ...heads(record),
    main: html`${heading(record)}
${verdictStrip(record, epss.answer === null ? null : epssTrend(epss.answer))}
${whatToDo(record, exposed, internal, context.now, readAskedVersion(request.query))}
${affected}
${descriptionSection(record)}
<p>${watchLink({ cve_id })}</p>
${!rejected && [contents(vex !== null), scorersSection(record), productsSection(record, readAskedVersion(request.query)), vex !== null && vexSection(record, vex)]}`,
    parts: rejected
      ? [readyPart('references', referencesSection(record))]
      : [
          ...lateParts(record, context),
          readyPart('detection', detectionSection(detection)),
          readyPart('epss', epssSection(epss)),
          readyPart('references', referencesSection(record)),
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

function contents(hasVex: boolean): Html {
  const sections = SECTIONS.filter(([id]) => id !== 'vex' || hasVex);
  return html`<nav aria-label="On this page"><ul class="tabs">${sections.map(([id, name]) => html`<li>${link(`#${id}`, name)}</li>`)}</ul></nav>`;
}

const SECTIONS = [
  ['scorers', 'Scorers'],
  ['products', 'Products'],
  ['vex', 'VEX'],
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
    main: html`<h1>${link(paths.cve(cve_id), html`<span class="id">${cve_id}</span>`)}: all ${what}</h1>${main}`,
  };
}

function readOffset({ query }: PageRequest): number {
  const from = Number(query.get('from') ?? 0);
  return Number.isSafeInteger(from) && from > 0 ? from : 0;
}

function heads(record: Cve): Pick<PageDocument, 'title' | 'description' | 'picture'> {
  const title = titleOf(record);
  return {
    title: `${record.cve_id} ${shortVerdict(record)}${title === null ? '' : `: ${title}`}`,
    description: record.summary,
    picture: `/picture/cve/${record.cve_id}.svg`,
  };
}

function heading(record: Cve): Html {
  return html`<h1><span class="id">${record.cve_id}</span> ${record.rejected ? 'was rejected' : titleOf(record)}</h1>`;
}

function descriptionSection(record: Cve): Html {
  const { fact_sources, status, rejected, sources } = record;
  const isDisputed = record.tags.includes('disputed');
  return html`<section id="description"><h2>${rejected ? 'Why it was rejected' : 'What it is'}</h2>
${isDisputed && stateNote('partial', 'Disputed', 'Someone, often the maker, does not agree that this is a vulnerability.')}
${sources.length === 1 && !rejected && stateNote('partial', `Known to one source only: ${sources[0]}`, 'Nobody else confirms or completes its facts.')}
${descriptionText(record)}
<p class="note">Text: ${fact_sources.description ?? 'not known'}. Status: ${status ?? 'not known'}. Known to ${sources.join(', ')}. ${link(withQuery('/search', { q: record.cve_id }), 'Search')}</p></section>`;
}

/** Advisories of GitHub are written in Markdown; what is long scrolls in a place of its own. */
function descriptionText({ cve_id, description, fact_sources }: Cve): Html {
  if (description === null) return html`<p class="unknown">No source describes it.</p>`;
  const text = truncateAtWord(description, MAX_DESCRIPTION_CHARACTERS);
  const shown = fact_sources['description'] === 'ghsa' ? markdown(text) : html`<p class="text">${text}</p>`;
  return text.length <= LONG_DESCRIPTION_CHARACTERS
    ? shown
    : html`<div class="long" tabindex="0" role="region" aria-label="Description of ${cve_id}">${shown}</div>`;
}

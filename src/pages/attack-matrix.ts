import { formatNumber } from '../engine/summary.ts';
import { attackMatrix as matrixOperation } from '../operations/attack/attack-matrix.ts';
import { html, type Html } from './html.ts';
import { link, withQuery } from './links.ts';
import { definePage, type PageRequest } from './page.ts';
import {
  COVERAGE_KINDS,
  type CoverageKind,
  coverageMark,
  coverageMatrix,
  matrixTable,
  tacticTable,
} from './parts/coverage-matrix.ts';
import { stateNote } from './parts/states.ts';

type Matrix = Awaited<ReturnType<(typeof matrixOperation)['answer']>>;
interface Filters {
  platform?: string;
  /** As the address has it: the operation validates it. */
  coverage?: CoverageKind;
}

function filtersOf({ query }: PageRequest): Filters {
  const [platform, coverage] = [query.get('platform')?.trim(), query.get('coverage')?.trim()];
  return { ...(platform && { platform }), ...(coverage && { coverage: coverage as CoverageKind }) };
}

/** `/attack/matrix`: the techniques of ATT&CK Enterprise by tactic, and what covers each. */
export const attackMatrix = definePage({
  path: '/attack/matrix',
  question: (request) => ({
    operation: matrixOperation,
    input: { ...filtersOf(request), include_subtechniques: true },
  }),
  async render(request, context) {
    const filters = filtersOf(request);
    const matrix = await context.ask(matrixOperation, { ...filters, include_subtechniques: true });
    const heading = headingOf(matrix, filters);
    const cells = matrix.techniques.filter(({ subtechnique_of }) => subtechnique_of === null);
    return {
      title: heading,
      description: matrix.summary,
      main: html`<h1>${heading}</h1>
${states(matrix, filters)}
${platformForm(matrix, filters)}
${matrix.counts.neither === null && stateNote('partial', 'What covers them is not known', 'Sigma rules or D3FEND are not synced.')}
${cells.length === 0 ? stateNote('empty', 'No technique is covered so', 'Its sub-techniques may be: see the table.') : coverageMatrix(matrix.tactics, cells)}
<p class="note">A technique has the rules of its sub-techniques, too. That a rule or a defense exists does not mean that it runs with you.</p>
<section id="table"><h2>The same as tables</h2>${tacticTable(matrix.tactics)}
<details class="screen"><summary>${formatNumber(matrix.techniques.length)} techniques and sub-techniques</summary>${matrixTable(matrix.techniques)}</details></section>
<p>${link('/attack', 'All of attack and defense, and the coverage of a list of techniques')}</p>`,
    };
  },
});

function headingOf({ total, counts }: Matrix, { platform }: Filters): string {
  const what = `${formatNumber(total)} techniques of ATT&CK${platform === undefined ? '' : ` for ${platform}`}`;
  return counts.neither === null ? what : `Neither Sigma nor D3FEND covers ${formatNumber(counts.neither)} of ${what}`;
}

/** The kinds of coverage with their numbers, each the page of those techniques alone. */
function states({ total, counts }: Matrix, { platform, coverage }: Filters): Html {
  const state = (kind: CoverageKind | undefined, text: Html | string, number: number | null): Html =>
    html`<li><a href="${withQuery('/attack/matrix', { coverage: kind, platform })}"${kind === coverage && html` aria-current="true"`}>${text}</a>${number !== null && ` ${formatNumber(number)}`}</li>`;
  return html`<ul class="verdict" aria-label="Show techniques by what covers them">${state(undefined, 'all', total)}${COVERAGE_KINDS.map((kind) => state(kind, coverageMark(kind), counts[kind]))}</ul>`;
}

function platformForm({ platforms }: Matrix, { platform = '', coverage }: Filters): Html {
  const option = (value: string, name: string): Html =>
    html`<option value="${value}"${value.toLowerCase() === platform.toLowerCase() && html` selected`}>${name}</option>`;
  return html`<form class="form" action="/attack/matrix">${coverage !== undefined && html`<input type="hidden" name="coverage" value="${coverage}">`}<label>Platform <select name="platform">${option('', 'any')}${platforms.map((name) => option(name, name))}</select></label><button>Show</button></form>`;
}

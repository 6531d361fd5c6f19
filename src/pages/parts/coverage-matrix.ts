import { formatCount, formatNumber } from '../../engine/summary.ts';
import type { attackMatrix } from '../../operations/attack/attack-matrix.ts';
import { html, join, type Html, type HtmlValue } from '../html.ts';
import { link, paths } from '../links.ts';

type Matrix = Awaited<ReturnType<(typeof attackMatrix)['answer']>>;
export type CoverageKind = NonNullable<Matrix['techniques'][number]['coverage']>;
type Tactic = Matrix['tactics'][number];
/** What a cell shows, of any operation that has it. */
type Cell = Pick<
  Matrix['techniques'][number],
  'technique_id' | 'tactics' | 'total_sigma_rules' | 'total_defenses' | 'coverage'
> & { name: string | null };

/** Kinds of coverage, as people call them. */
export const COVERAGE_WORDS: Readonly<Record<CoverageKind, string>> = {
  both: 'both',
  sigma: 'Sigma alone',
  d3fend: 'D3FEND alone',
  neither: 'neither',
};
export const COVERAGE_KINDS = Object.keys(COVERAGE_WORDS) as CoverageKind[];

/** A kind of coverage as its shape and its word. */
export function coverageMark(kind: CoverageKind): Html {
  return html`<span class="cover cover-${kind}">${COVERAGE_WORDS[kind]}</span>`;
}

/** Techniques as cells in a column for each tactic; narrow windows show the tactics one below the other. */
export function coverageMatrix(tactics: readonly Tactic[], cells: readonly Cell[]): Html {
  const columns = tactics.flatMap((tactic) => {
    const rows = cells.filter(({ tactics: of }) => of.includes(tactic.tactic));
    return rows.length === 0 ? [] : [{ tactic, rows }];
  });
  return html`${columns.length > 1 && html`<nav class="tactics" aria-label="Tactics"><ul>${columns.map(({ tactic: { tactic } }) => html`<li>${link(`#${tacticAnchor(tactic)}`, tactic)}</li>`)}</ul></nav>`}
<div class="matrix">${columns.map(
    ({
      tactic,
      rows,
    }) => html`<section aria-labelledby="${tacticAnchor(tactic.tactic)}"><h2 id="${tacticAnchor(tactic.tactic)}">${tactic.tactic} <span class="note">${tacticNote(tactic)}</span></h2>
<ul>${rows.map(cell)}</ul></section>
`,
  )}</div>`;
}

/** The anchor of a tactic's column: `initial-access`. */
export function tacticAnchor(tactic: string): string {
  return tactic.toLowerCase().replaceAll(/[^a-z\d]+/g, '-');
}

function tacticNote({ total, neither }: Tactic): string {
  return neither === null ? formatCount(total, 'technique') : `neither: ${neither} of ${total}`;
}

function cell({ technique_id, name, total_sigma_rules, total_defenses, coverage }: Cell): Html {
  const counts: string[] = [];
  if (total_sigma_rules !== null && total_sigma_rules > 0) counts.push(formatCount(total_sigma_rules, 'rule'));
  if (total_defenses !== null && total_defenses > 0) counts.push(formatCount(total_defenses, 'defense'));
  return html`<li class="cover cover-${coverage ?? 'unknown'}"><a href="${paths.technique(technique_id)}">${technique_id} ${name}</a> <span>${coverage === null ? 'not known' : COVERAGE_WORDS[coverage]}${counts.length > 0 && `: ${counts.join(', ')}`}</span></li>`;
}

/** The numbers of the matrix by tactic. */
export function tacticTable(tactics: readonly Tactic[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Coverage by tactic"><table><thead><tr><th scope="col">Tactic</th><th scope="col" class="number">Techniques</th>${COVERAGE_KINDS.map((kind) => html`<th scope="col" class="number">${COVERAGE_WORDS[kind]}</th>`)}</tr></thead>
<tbody>${tactics.map((row) => html`<tr><th scope="row">${row.tactic}</th><td class="number">${row.total}</td>${COVERAGE_KINDS.map((kind) => html`<td class="number">${count(row[kind])}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** The cells of the matrix as a table, a technique a row. */
export function matrixTable(rows: Matrix['techniques']): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Coverage by technique"><table data-rows><thead><tr><th scope="col">Technique</th><th scope="col">Tactics</th><th scope="col" class="number">Sigma rules</th><th scope="col" class="number">Defenses</th><th scope="col">Covered by</th></tr></thead>
<tbody>${rows.map(
    ({ technique_id, name, tactics, total_sigma_rules, total_defenses, coverage }) =>
      html`<tr><th scope="row">${link(paths.technique(technique_id), technique_id)} ${name}</th><td>${join(tactics, ', ')}</td><td class="number">${count(total_sigma_rules)}</td><td class="number">${count(total_defenses)}</td><td>${coverage === null ? 'not known' : COVERAGE_WORDS[coverage]}</td></tr>
`,
  )}</tbody></table></div>`;
}

function count(value: number | null): HtmlValue {
  return value === null ? 'not known' : formatNumber(value);
}

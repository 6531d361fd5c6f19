import { html, type Html, type HtmlValue } from '../html.ts';

/** A table behind a chart: what a screen reader reads, and what one click shows. */
export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly HtmlValue[])[];
}

/**
 * A chart with the sentence that it says as its title, and its table one click away. `svg` fills the width; it has `role="img"`, and is
 * named by the sentence. `id` is unique on the page.
 */
export function chartFigure(id: string, sentence: string, svg: Html, table: ChartTable, note: HtmlValue = null): Html {
  return html`<figure class="chart" id="${id}"><figcaption id="${id}-title">${sentence}</figcaption>
${svg}
${note !== null && html`<p class="note">${note}</p>`}
<details><summary>The figures</summary><div class="scroll" tabindex="0" role="region" aria-label="Figures: ${sentence}"><table><thead><tr>${table.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details></figure>`;
}

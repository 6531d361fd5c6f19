import { scaleLinear, scaleLog } from 'd3-scale';
import { formatPercent } from '../../engine/summary.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { link, paths } from '../links.ts';
import { chartFigure } from './chart-figure.ts';

/** A CVE with both scores. */
export interface ScoredCve {
  readonly cve_id: string;
  readonly cvss: number;
  readonly epss: number;
  readonly kev: boolean | null;
}

const WIDTH = 400;
const HEIGHT = 240;
const LEFT = 46;
const RIGHT = 10;
const TOP = 24;
const BOTTOM = 34;
/** The lowest score of EPSS that has a place of its own; the scale is logarithmic, because most scores are tiny. */
const LOWEST_EPSS = 0.0001;
const EPSS_TICKS = [0.0001, 0.001, 0.01, 0.1, 1];
const CVSS_TICKS = [0, 2, 4, 6, 8, 10];
const MAX_TABLE_ROWS = 30;

/** EPSS against CVSS, a dot a CVE that leads to its page. `corner` leads to the likely and severe ones. */
export function scatterPlot(
  id: string,
  sentence: string,
  cves: readonly ScoredCve[],
  { corner, note }: { corner: { href: string; cvss: number; epss: number }; note: HtmlValue },
): Html {
  const x = scaleLinear([0, 10], [LEFT, WIDTH - RIGHT]);
  const y = scaleLog([LOWEST_EPSS, 1], [HEIGHT - BOTTOM, TOP]).clamp(true);
  // Known-exploited ones are drawn last, so that no other dot hides them.
  const drawn = cves.toSorted((a, b) => Number(a.kev === true) - Number(b.kev === true));
  const [left, floor] = [x(corner.cvss), y(corner.epss)];
  const svg = html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-labelledby="${id}-title">
<a href="${corner.href}"><rect class="corner" x="${left}" y="${TOP}" width="${WIDTH - RIGHT - left}" height="${(floor - TOP).toFixed(1)}"/><text class="corner-name" x="${WIDTH - RIGHT}" y="${TOP - 8}" text-anchor="end">likely and severe</text></a>
${EPSS_TICKS.map((tick) => html`<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/><text x="${LEFT - 6}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end" aria-hidden="true">${tick * 100} %</text>`)}
${CVSS_TICKS.map((tick) => html`<text x="${x(tick)}" y="${HEIGHT - BOTTOM + 15}" text-anchor="middle" aria-hidden="true">${tick}</text>`)}
<text x="${WIDTH - RIGHT}" y="${HEIGHT - 4}" text-anchor="end" aria-hidden="true">CVSS</text><text x="0" y="${TOP - 10}" aria-hidden="true">EPSS</text>
${drawn.map((cve) => dot(cve, x(cve.cvss), y(Math.max(cve.epss, LOWEST_EPSS))))}
</svg>`;
  const shown = cves.toSorted((a, b) => b.epss - a.epss).slice(0, MAX_TABLE_ROWS);
  const rows = shown.map(({ cve_id, cvss, epss, kev }) => [
    link(paths.cve(cve_id), cve_id),
    cvss.toFixed(1),
    formatPercent(epss),
    kev === null ? 'not known' : kev ? 'yes' : 'no',
  ]);
  const cut = cves.length > rows.length ? ` The figures list the ${rows.length} likeliest.` : '';
  return chartFigure(id, sentence, svg, { columns: ['CVE', 'CVSS', 'EPSS', 'Known exploited'], rows }, [note, cut]);
}

/** Known-exploited ones are squares: colour alone would not tell. Dots are left out of the walk by keyboard, which the table serves. */
function dot({ cve_id, cvss, epss, kev }: ScoredCve, cx: number, cy: number): Html {
  const name = `${cve_id}: CVSS ${cvss.toFixed(1)}, EPSS ${formatPercent(epss)}${kev === true ? ', known exploited' : ''}`;
  const [left, top] = [cx.toFixed(1), cy.toFixed(1)];
  const mark =
    kev === true
      ? html`<rect class="dot kev" x="${(cx - 3.5).toFixed(1)}" y="${(cy - 3.5).toFixed(1)}" width="7" height="7"/>`
      : html`<circle class="dot" cx="${left}" cy="${top}" r="3"/>`;
  return html`<a href="${paths.cve(cve_id)}" tabindex="-1"><title>${name}</title>${mark}</a>`;
}

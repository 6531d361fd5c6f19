import { scaleLinear } from 'd3-scale';
import { formatCount, formatNumber } from '../../engine/summary.ts';
import { html, type Html } from '../html.ts';
import { chartFigure } from './chart-figure.ts';

/** One bar. `count` null: not known, which is a gap and not a zero. */
export interface Bar {
  readonly label: string;
  readonly count: number | null;
  /** A path of this service that shows what the bar counts. */
  readonly href: string | null;
}

/** What a chart of bars shows. */
export interface BarChart {
  /** Unique on the page. */
  readonly id: string;
  /** What the chart says, as a sentence. */
  readonly sentence: string;
  /** Heading of the labels: `Month`. */
  readonly axis: string;
  /** What is counted, one of it: `CVE`. */
  readonly unit: string;
  readonly bars: readonly Bar[];
  readonly note?: string;
}

/** Units of the drawing are about pixels: it is shown between 320 and 520 wide. */
const WIDTH = 400;
const HEIGHT = 180;
const TOP = 16;
const BOTTOM = 22;
const ROW = 26;
const LABEL_WIDTH = 96;
const COUNT_WIDTH = 56;
/** Labels of so many characters need so much room below the axis. */
const CHARACTER_WIDTH = 7;

/** Upright bars along time, from left to right; the highest and the last one carry their numbers. */
export function columnChart(chart: BarChart): Html {
  const { bars } = chart;
  const highest = Math.max(1, ...bars.map(({ count }) => count ?? 0));
  const y = scaleLinear([0, highest], [0, HEIGHT - TOP - BOTTOM]);
  const step = WIDTH / Math.max(bars.length, 1);
  const base = HEIGHT - BOTTOM;
  const labelled = labelledBars(bars, step);
  const top = bars.findIndex(({ count }) => count === highest);
  const svg = html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-labelledby="${chart.id}-title">
<line class="axis" x1="0" x2="${WIDTH}" y1="${base}" y2="${base}"/>
${bars.map((bar, at) => {
  const height = y(bar.count ?? 0);
  const middle = (at + 0.5) * step;
  const mark = html`<rect class="hit" x="${round(at * step)}" y="${TOP}" width="${round(step)}" height="${base - TOP}"/><rect class="bar" x="${round(at * step + step * 0.1)}" y="${round(base - height)}" width="${round(step * 0.8)}" height="${round(height)}"/>`;
  return html`${linked(bar, chart.unit, mark)}${labelled.has(at) && html`<text x="${round(clampLabel(middle, bar.label))}" y="${HEIGHT - 6}" text-anchor="middle" aria-hidden="true">${bar.label}</text>`}${(at === top || (at === bars.length - 1 && middle - (top + 0.5) * step > 40)) && bar.count !== null && html`<text class="value" x="${round(clampLabel(middle, String(bar.count)))}" y="${round(base - height - 4)}" text-anchor="middle" aria-hidden="true">${formatNumber(bar.count)}</text>`}`;
})}
</svg>`;
  return figure(chart, svg);
}

/** Lying bars, one a row, each with its label and its number. */
export function rowChart(chart: BarChart): Html {
  const { bars } = chart;
  const highest = Math.max(1, ...bars.map(({ count }) => count ?? 0));
  const x = scaleLinear([0, highest], [0, WIDTH - LABEL_WIDTH - COUNT_WIDTH]);
  const svg = html`<svg viewBox="0 0 ${WIDTH} ${bars.length * ROW + 4}" role="group" aria-labelledby="${chart.id}-title">
${bars.map((bar, at) => {
  const width = x(bar.count ?? 0);
  const middle = at * ROW + ROW / 2;
  const mark = html`<rect class="hit" x="0" y="${at * ROW}" width="${WIDTH}" height="${ROW}"/><text x="0" y="${middle + 4}">${bar.label}</text><rect class="bar" x="${LABEL_WIDTH}" y="${at * ROW + 4}" width="${round(width)}" height="${ROW - 8}"/><text class="value" x="${round(LABEL_WIDTH + width + 6)}" y="${middle + 4}">${bar.count === null ? 'not known' : formatNumber(bar.count)}</text>`;
  return linked(bar, chart.unit, mark);
})}
</svg>`;
  return figure(chart, svg);
}

function figure({ id, sentence, axis, bars, note }: BarChart, svg: Html): Html {
  const rows = bars.map(({ label, count, href }) => [
    href === null ? label : html`<a href="${href}">${label}</a>`,
    count === null ? 'not known' : formatNumber(count),
  ]);
  return chartFigure(id, sentence, svg, { columns: [axis, 'Number'], rows }, note ?? null);
}

function linked({ label, count, href }: Bar, unit: string, mark: Html): Html {
  const name = `${label}: ${count === null ? 'not known' : formatCount(count, unit)}`;
  return href === null || count === 0
    ? html`<g><title>${name}</title>${mark}</g>`
    : html`<a href="${href}"><title>${name}</title>${mark}</a>`;
}

/** Every bar where there is room for all labels, else the first, the last, and some at the same distance. */
function labelledBars(bars: readonly Bar[], step: number): Set<number> {
  const longest = Math.max(0, ...bars.map(({ label }) => label.length));
  const every = Math.ceil((longest * CHARACTER_WIDTH + 16) / step);
  return new Set(bars.keys().filter((at) => (bars.length - 1 - at) % every === 0));
}

/** A label in the middle of its bar, or as near as the drawing lets it be. */
function clampLabel(middle: number, label: string): number {
  const half = (label.length * CHARACTER_WIDTH) / 2;
  return Math.min(Math.max(middle, half), WIDTH - half);
}

function round(value: number): string {
  return value.toFixed(1);
}

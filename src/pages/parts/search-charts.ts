import { formatCount, formatNumber } from '../../engine/summary.ts';
import { columnChart, rowChart, type Bar } from '../charts/bar-chart.ts';
import { scatterPlot, type ScoredCve } from '../charts/scatter-plot.ts';
import { html, type Html } from '../html.ts';
import { SEVERITIES } from './severity.ts';
import { stateNote } from './states.ts';

/** A value and how many CVEs have it. */
export interface Count {
  readonly value: string;
  readonly count: number;
}

/** Where a mark of a chart leads: the same list with this value of this filter. */
export type AddressOf = (changes: Readonly<Record<string, string | null>>) => string;

/** Longer times are drawn by year. */
const MAX_MONTHS = 36;
const LIKELY_EPSS = 0.1;
const SEVERE_CVSS = 7;

/** When CVEs were published, by month or, over a long time, by year. */
export function publishedChart(
  id: string,
  { month, year }: { month: readonly Count[]; year: readonly Count[] },
  addressOf: (period: string) => string,
): Html {
  const [axis, counts] = month.length <= MAX_MONTHS ? ['Month', month] : ['Year', year];
  return columnChart({
    id,
    sentence: mostSentence('published', axis, counts),
    axis,
    unit: 'CVE',
    bars: barsOf(counts, addressOf),
  });
}

/** When CVEs were added to the known-exploited catalog. */
export function kevAddedChart(id: string, months: readonly Count[]): Html {
  const years = [...Map.groupBy(months, ({ value }) => value.slice(0, 4))].map(([value, within]) => ({
    value,
    count: within.reduce((sum, { count }) => sum + count, 0),
  }));
  const [axis, counts] = months.length <= MAX_MONTHS ? ['Month', months] : ['Year', years];
  const bars = barsOf(counts, () => null);
  return columnChart({ id, sentence: mostSentence('added', axis, counts), axis, unit: 'CVE', bars });
}

/** How many CVEs there are of each severity, the worst first. */
export function severityChart(id: string, counts: readonly Count[], addressOf: AddressOf): Html {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const worst = counts.find(({ value }) => value === 'CRITICAL')?.count ?? 0;
  const sorted = counts
    .filter(({ value, count }) => value !== 'UNKNOWN' || count > 0)
    .toSorted((a, b) => rank(a.value) - rank(b.value));
  const bars = sorted.map(({ value, count }) => ({
    label: value === 'UNKNOWN' ? 'not known' : value.toLowerCase(),
    count,
    href: value === 'UNKNOWN' ? null : addressOf({ severity: value }),
  }));
  return rowChart({
    id,
    sentence: `${formatNumber(worst)} of ${formatCount(total, 'CVE')} ${worst === 1 ? 'is' : 'are'} critical`,
    axis: 'Severity',
    unit: 'CVE',
    bars,
  });
}

/** EPSS against CVSS, a dot a CVE. */
export function likelihoodChart(
  id: string,
  plot: { points: readonly ScoredCve[]; sampled: boolean; without_cvss: number; without_epss: number },
  addressOf: AddressOf,
): Html {
  const { points, sampled, without_cvss, without_epss } = plot;
  if (points.length === 0) {
    return stateNote('empty', 'EPSS against CVSS cannot be drawn', 'None of these CVEs has both scores.');
  }
  const count = points.filter(({ cvss, epss }) => cvss >= SEVERE_CVSS && epss >= LIKELY_EPSS).length;
  const missing = [
    without_cvss > 0 && `${formatCount(without_cvss, 'CVE')} without CVSS v3`,
    without_epss > 0 && `${formatCount(without_epss, 'CVE')} without EPSS`,
  ].filter((text) => text !== false);
  return scatterPlot(
    id,
    `${count} of ${sampled ? 'the ' : ''}${formatCount(points.length, 'CVE')} ${sampled ? 'drawn ' : ''}${count === 1 ? 'is' : 'are'} both severe and likely to be exploited`,
    points,
    {
      corner: {
        href: addressOf({ cvss_min: String(SEVERE_CVSS), epss_min: String(LIKELY_EPSS) }),
        cvss: SEVERE_CVSS,
        epss: LIKELY_EPSS,
      },
      note: html`A dot is a CVE, a square a known-exploited one. Severe: CVSS ${SEVERE_CVSS} or more; likely: EPSS 10 % or more.${sampled && ' Drawn are those with the highest EPSS and an even sample of the others.'}${missing.length > 0 && ` Not drawn: ${missing.join(', ')}.`}`,
    },
  );
}

function barsOf(counts: readonly Count[], addressOf: (period: string) => string | null): Bar[] {
  return counts.map(({ value, count }) => ({ label: value, count, href: addressOf(value) }));
}

/** `Most were published in 2021: 38 of 243`; where no time has most, the most of one. */
function mostSentence(verb: string, axis: string, counts: readonly Count[]): string {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const [top, second] = counts.toSorted((a, b) => b.count - a.count);
  if (top === undefined) return `It is not known when they were ${verb}`;
  return top.count === second?.count
    ? `At most ${formatNumber(top.count)} of ${formatNumber(total)} were ${verb} in one ${axis.toLowerCase()}`
    : `Most were ${verb} in ${top.value}: ${formatNumber(top.count)} of ${formatNumber(total)}`;
}

function rank(severity: string): number {
  const at = SEVERITIES.findIndex((known) => known === severity);
  return at === -1 ? SEVERITIES.length : at;
}

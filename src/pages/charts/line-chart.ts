import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { html, type Html, type HtmlValue } from '../html.ts';
import { chartFigure } from './chart-figure.ts';
import { dayNumber, type DayValue, splitAtGaps } from './days.ts';

/** Space for text, in percent of the height. */
const [TOP, BOTTOM] = [16, 86];
/** Space at both ends, in percent of the width. */
const [LEFT, RIGHT] = [1, 99];
const Y_TICKS = 2;

/** A value by day. */
export interface LineChart {
  /** Unique on the page. */
  readonly id: string;
  /** What the chart says. */
  readonly sentence: string;
  /** What the values are, with their unit. */
  readonly valueName: string;
  /** Oldest first, at least two. A missing day is a gap. */
  readonly points: readonly DayValue[];
  /** Days from which on values are not comparable with those before, with what changed. */
  readonly switches?: readonly { readonly date: string; readonly label: string }[];
  readonly format: (value: number) => string;
  readonly note?: HtmlValue;
}

/**
 * A curve by day. It is drawn in percent of its frame, and only the curve itself is stretched, so that its text keeps its size at every
 * width.
 */
export function lineChart({ id, sentence, valueName, points, switches = [], format, note }: LineChart): Html {
  const [first, last] = [points[0]!, points.at(-1)!];
  const x = scaleLinear([dayNumber(first.date), dayNumber(last.date)], [LEFT, RIGHT]);
  const y = scaleLinear([0, Math.max(...points.map(({ value }) => value))], [BOTTOM, TOP]).nice(Y_TICKS);
  const curve = line<DayValue>(
    ({ date }) => x(dayNumber(date)),
    ({ value }) => y(value),
  ).digits(2);
  const runs = splitAtGaps(
    points,
    switches.map(({ date }) => date),
  );
  const svg = html`<svg class="fluid" width="100%" height="220" role="img" aria-labelledby="${id}-title">
${y.ticks(Y_TICKS).map((value) => html`<line class="axis" x1="0" x2="100%" y1="${percent(y(value))}" y2="${percent(y(value))}"/><text x="0" y="${percent(y(value))}" dy="-4">${format(value)}</text>`)}
${switches.map(({ date, label }) => switchLine(x(dayNumber(date)), label))}
<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%"><path class="line" d="${runs.map((run) => curve(run)).join('')}" vector-effect="non-scaling-stroke" stroke-linecap="round"/></svg>
<circle class="end" cx="${percent(x(dayNumber(last.date)))}" cy="${percent(y(last.value))}" r="4"/>
<text class="value" x="99%" y="${percent(y(last.value))}" dy="-10" text-anchor="end">${format(last.value)}</text>
<text x="0" y="98%">${first.date}</text><text x="100%" y="98%" text-anchor="end">${last.date}</text>
</svg>`;
  return chartFigure(
    id,
    sentence,
    svg,
    { columns: ['Day', valueName], rows: tableRows(splitAtGaps(points), format) },
    note,
  );
}

/** Its text is on the side with more space. */
function switchLine(at: number, label: string): Html {
  const [anchor, offset] = at > 50 ? ['end', -6] : ['start', 6];
  return html`<line class="switch" x1="${percent(at)}" x2="${percent(at)}" y1="4%" y2="${BOTTOM}%"/><text x="${percent(at)}" dx="${offset}" y="8%" text-anchor="${anchor}">${label}</text>`;
}

/** The days on which the value changed, newest first, and the gaps. */
function tableRows(runs: readonly (readonly DayValue[])[], format: (value: number) => string): string[][] {
  const rows = runs.flatMap((run, at) => {
    const changes = run.filter(
      ({ value }, index) => index === 0 || index === run.length - 1 || value !== run[index - 1]!.value,
    );
    const before = runs[at - 1]?.at(-1);
    const gap = before === undefined ? [] : [[`after ${before.date}, before ${run[0]!.date}`, 'not known']];
    return [...gap, ...changes.map(({ date, value }) => [date, format(value)])];
  });
  return rows.toReversed();
}

function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`;
}

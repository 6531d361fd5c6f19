import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { html, type Html } from '../html.ts';
import { dayNumber, type DayValue, splitAtGaps } from './days.ts';

const WIDTH = 72;
const HEIGHT = 16;

/**
 * A curve in the height of a line of text, from `floor` to `top`, with gaps where days are missing or `switches` begin. It stands beside the newest value,
 * which says what it means: screen readers skip it. Null for less than two days.
 */
export function sparkline(
  points: readonly DayValue[],
  [floor, top]: readonly [number, number],
  switches: readonly string[] = [],
): Html | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const x = scaleLinear([dayNumber(first.date), dayNumber(last.date)], [1, WIDTH - 1]);
  const y = scaleLinear([floor, top], [HEIGHT - 2, 2]).clamp(true);
  const curve = line<DayValue>(
    ({ date }) => x(dayNumber(date)),
    ({ value }) => y(value),
  ).digits(1);
  // More than one day in a pixel is not seen.
  const days = Math.max(1, Math.floor(points.length / WIDTH));
  const paths = splitAtGaps(points, switches).map((run) =>
    curve(run.filter((_, at) => at % days === 0 || at === run.length - 1)),
  );
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true"><path d="${paths.join('')}"/></svg>`;
}

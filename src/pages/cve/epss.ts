import { formatPercent } from '../../engine/summary.ts';
import { lineChart } from '../charts/line-chart.ts';
import { sparkline } from '../charts/sparkline.ts';
import { html, type Html } from '../html.ts';
import type { Outcome } from '../page.ts';
import { errorNote } from '../parts/states.ts';
import type { EpssSeries } from './answers.ts';

const MAX_DAYS_ASIDE = 2;

/** The chance of exploitation by day; days that were not loaded are gaps, and a change of the model is a line. */
export function epssSection({ answer, error }: Outcome<EpssSeries>): Html {
  if (error !== null) return html`<h2>EPSS is not known</h2>${errorNote(error, 'EPSS')}`;
  const { series, model_changes } = answer;
  const last = series.at(-1)!;
  const now = `EPSS was ${formatPercent(last.score)} on ${last.date}`;
  if (series.length < MAX_DAYS_ASIDE)
    return html`<h2>${now}</h2><p>The chance that it is exploited within 30 days, by model ${last.model ?? 'not known'}. No other day is known here: the curve begins with the second one.</p>`;
  const points = series.map(({ date, score }) => ({ date, value: score }));
  const switches = model_changes.map(({ date, to }) => ({ date, label: `new model ${to}` }));
  return html`<h2>${now}</h2>${lineChart({
    id: 'epss-by-day',
    sentence: sentenceOf(answer),
    valueName: 'EPSS, chance of exploitation within 30 days',
    points,
    switches,
    format: formatPercent,
    note: 'A gap is a day that was not loaded here.',
  })}`;
}

/** The same small, beside the newest score; null for less than two days. */
export function epssTrend({ series, model_changes }: EpssSeries): Html | null {
  const points = series.map(({ date, score }) => ({ date, value: score }));
  return sparkline(
    points,
    [0, 1],
    model_changes.map(({ date }) => date),
  );
}

/** What can be compared: the days of the newest model. */
function sentenceOf({ series, model_changes }: EpssSeries): string {
  const change = model_changes.at(-1);
  const last = series.at(-1)!;
  const first = change === undefined ? series[0]! : series.find(({ date }) => date >= change.date)!;
  const sentence = `From ${formatPercent(first.score)} on ${first.date} to ${formatPercent(last.score)} on ${last.date}`;
  return change === undefined ? sentence : `${sentence}; before, another model scored, which cannot be compared`;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitAtGaps } from '../../src/pages/charts/days.ts';
import { lineChart } from '../../src/pages/charts/line-chart.ts';
import { sparkline } from '../../src/pages/charts/sparkline.ts';
import { textOf } from './read-page.ts';

const day = (date: string, value: number) => ({ date, value });
// A month ends, a day is missing, and a model changes.
const POINTS = [day('2024-02-28', 0.1), day('2024-02-29', 0.2), day('2024-03-02', 0.2), day('2024-03-03', 0.9)];

test('a missing day and a change of the model end a line', () => {
  const lengths = (switches?: string[]) => splitAtGaps(POINTS, switches).map((run) => run.length);
  assert.deepEqual(lengths(), [2, 2]);
  assert.deepEqual(lengths(['2024-03-03']), [2, 1, 1]);
});

test('a chart says its sentence, draws no line through a gap, and has the gap in its table', () => {
  const markup = String(
    lineChart({
      id: 'c',
      sentence: 'It rose & <fell>',
      valueName: 'EPSS',
      points: POINTS,
      switches: [{ date: '2024-03-03', label: 'new model' }],
      format: (value) => `${value * 100} %`,
    }),
  );
  assert.match(markup, /It rose &amp; &lt;fell&gt;/);
  const [, path] = /<path class="line" d="([^"]+)"/.exec(markup) ?? assert.fail('no line');
  assert.equal(path!.match(/M/g)?.length, 3);
  assert.match(textOf(markup), /after 2024-02-29, before 2024-03-02 not known/);
  assert.doesNotMatch(markup, /NaN|style=/);
});

test('a flat or a single value draws no nonsense', () => {
  assert.equal(sparkline([day('2024-01-01', 0.5)], [0, 1]), null);
  assert.equal(sparkline([], [0, 1]), null);
  const flat = [day('2024-01-01', 0), day('2024-01-02', 0)];
  assert.doesNotMatch(String(sparkline(flat, [0, 1])), /NaN/);
  assert.doesNotMatch(
    String(lineChart({ id: 'c', sentence: 's', valueName: 'v', points: flat, format: String })),
    /NaN|undefined/,
  );
});

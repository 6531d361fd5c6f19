import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonestMistakes, countsOf, f1Of, falsePositiveRateOf, precisionOf, recallOf } from '../../quality/counts.ts';
import { renderQuality } from '../../quality/render-quality.ts';

// 20 are there, of which 15 are reported; of 80 others 5 are: the textbook's example of a table of errors.
const decisions = [
  ...Array.from({ length: 15 }, () => ({ isThere: true, isReported: true })),
  ...Array.from({ length: 5 }, () => ({ isThere: true, isReported: false })),
  ...Array.from({ length: 5 }, () => ({ isThere: false, isReported: true })),
  ...Array.from({ length: 75 }, () => ({ isThere: false, isReported: false })),
];

test('shares of a table of errors', () => {
  const counts = countsOf(decisions);
  assert.deepEqual(
    [precisionOf(counts), recallOf(counts), f1Of(counts), falsePositiveRateOf(counts)],
    [0.75, 0.75, 0.75, 0.0625],
  );
});

test('where false reports are not counted, recall alone is known', () => {
  const counts = { truePositives: 3, falsePositives: null, falseNegatives: 1, trueNegatives: null };
  assert.deepEqual([precisionOf(counts), recallOf(counts), f1Of(counts)], [null, 0.75, null]);
});

test('of nothing there is no share', () => {
  const none = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: null };
  assert.deepEqual(
    [precisionOf(none), recallOf(none), f1Of(none), falsePositiveRateOf(none)],
    [null, null, null, null],
  );
});

test('mistakes by kind, the most frequent first', () => {
  const cases = [
    { kind: 'missed: a', name: '1' },
    { kind: 'false: b', name: '2' },
    { kind: 'false: b', name: '3' },
  ];
  assert.deepEqual(commonestMistakes(cases, 1), [{ kind: 'false: b', count: 2, example: '2' }]);
});

test('the document: each corpus once, a row for each tool, and cells that hold a bar', () => {
  const text = renderQuality(
    [
      {
        title: 'Secrets',
        corpora: [
          {
            name: 'files',
            origin: 'blind',
            size: '100 files',
            results: [
              { tool: 'Sextant', counts: countsOf(decisions), seconds: 0.5, speed: '90 MB/s' },
              { tool: 'other 1.0', counts: countsOf([]), seconds: null, speed: null },
            ],
          },
        ],
        mistakes: [{ kind: 'a | b: missed', count: 2, example: 'x.env' }],
        notes: ['gitleaks could not be had'],
      },
    ],
    { cores: 2, load: 0.1, node: 'v26.1.0', day: new Date('2026-11-26T12:00:00Z') },
  );
  assert.match(text, /One run on 2026-11-26, 2 cores, load before it 0\.1, Node 26\.1\.0\./);
  assert.match(
    text,
    /\| files \(blind[^|]*; 100 files\) \| Sextant \| 15 \| 5 \| 5 \| 0\.750 \| 0\.750 \| 0\.750 \| 0\.063 \| 0\.50 s \| 90 MB\/s \|/,
  );
  assert.match(text, /\|  \| other 1\.0 \| 0 \| 0 \| 0 \|  \|  \|  \|  \|  \|  \|/);
  assert.match(text, /\| a \\\| b: missed \| 2 \| `x\.env` \|/);
  assert.match(text, /- gitleaks could not be had/);
});

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { cveIdFromKey, cveKey } from '../../src/analysis/cve/cve-id.ts';
import { EpssHistoryReader } from '../../src/catalog/epss-history.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { startLoad } from '../../src/catalog/start-load.ts';

const [A, B, C] = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003'] as const;

type Day = [date: string, model: string, scores: Readonly<Record<string, number>>];

function historyOf(days: readonly Day[]): EpssHistoryReader {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  for (const [date, model_version, scores] of days) {
    const store = startLoad(db, 'epss');
    store.put(Object.entries(scores).map(([cve_id, score]) => ({ cve_id, score, percentile: score / 2 })));
    store.finish?.(`${date}T12:55:00.000Z`, { model_version });
  }
  return new EpssHistoryReader(db);
}
const seriesOf = (history: EpssHistoryReader, cveId: string) =>
  history.series(cveKey(cveId)!).map(({ date, score, percentile }) => [date, score, percentile]);
const risesOf = async (history: EpssHistoryReader, days: number) => {
  const { window, rises } = await history.rises(days);
  return { window, rises: rises.map(({ key, before, after }) => [cveIdFromKey(key), before, after]) };
};

suite('the scores of a CVE by day', () => {
  const history = historyOf([
    ['2025-01-01', 'v1', { [A]: 0.1, [B]: 0.2 }],
    ['2025-01-02', 'v1', { [A]: 0.1, [B]: 0.2, [C]: 0.3 }],
    // The third and fourth were not loaded.
    ['2025-01-05', 'v1', { [A]: 0.4, [B]: 0.2 }],
    ['2025-01-06', 'v1', { [A]: 0.4, [B]: 0.2, [C]: 0.5 }],
  ]);

  test('are there for each loaded day; the percentile only where the score is new, and today', () => {
    assert.deepEqual(seriesOf(history, A), [
      ['2025-01-01', 0.1, 0.05],
      ['2025-01-02', 0.1, null],
      ['2025-01-05', 0.4, 0.2],
      ['2025-01-06', 0.4, 0.2],
    ]);
  });

  test('are missing before the first and while there is none', () => {
    assert.deepEqual(seriesOf(history, C), [
      ['2025-01-02', 0.3, 0.15],
      ['2025-01-06', 0.5, 0.25],
    ]);
    assert.deepEqual(seriesOf(history, 'CVE-2024-9999'), []);
  });

  test('are kept for each day of two years, and for the last day of older months', () => {
    const days: Day[] = [
      ['2022-12-30', 'v1', { [A]: 0.1, [B]: 0.2 }],
      ['2022-12-31', 'v1', { [A]: 0.15, [B]: 0.2 }],
      ['2023-01-01', 'v1', { [A]: 0.2, [B]: 0.2, [C]: 0.5 }],
      ['2023-01-02', 'v1', { [A]: 0.2, [B]: 0.2 }],
      ['2025-01-01', 'v1', { [A]: 0.1, [B]: 0.2 }],
      ['2025-01-02', 'v1', { [A]: 0.3, [B]: 0.2 }],
    ];
    const later = historyOf(days);
    assert.deepEqual(seriesOf(later, A), [
      ['2022-12-31', 0.15, 0.075],
      ['2023-01-02', 0.2, 0.1],
      ['2025-01-01', 0.1, 0.05],
      ['2025-01-02', 0.3, 0.15],
    ]);
    // A score that never changed is known of each day.
    assert.deepEqual(
      seriesOf(later, B).map(([date, score]) => [date, score]),
      [
        ['2022-12-31', 0.2],
        ['2023-01-02', 0.2],
        ['2025-01-01', 0.2],
        ['2025-01-02', 0.2],
      ],
    );
    assert.deepEqual(seriesOf(later, C), []);
  });

  test('do not depend on the order in which the days were loaded', async () => {
    const days: Day[] = [
      ['2025-01-01', 'v1', { [A]: 0.1, [B]: 0.2 }],
      ['2025-01-02', 'v1', { [B]: 0.3, [C]: 0.3 }],
      ['2025-01-03', 'v1', { [A]: 0.1, [B]: 0.2, [C]: 0.4 }],
    ];
    const inOrder = historyOf(days);
    const mixed = historyOf([days[2]!, days[0]!, days[1]!, days[2]!]);
    for (const id of [A, B, C])
      assert.deepEqual(
        seriesOf(mixed, id).map(([date, score]) => [date, score]),
        seriesOf(inOrder, id).map(([date, score]) => [date, score]),
      );
    assert.deepEqual(await risesOf(mixed, 1), await risesOf(inOrder, 1));
  });
});

suite('what rose', () => {
  const days: Day[] = [
    ['2025-01-01', 'v1', { [A]: 0.1, [B]: 0.2 }],
    ['2025-01-05', 'v1', { [A]: 0.2, [B]: 0.9 }],
    ['2025-01-08', 'v1', { [A]: 0.4, [B]: 0.3, [C]: 0.9 }],
  ];

  test('is compared with the newest day that is old enough, highest rise first; what had no score did not rise', async () => {
    assert.deepEqual(await risesOf(historyOf(days), 7), {
      window: { before: '2025-01-01', after: '2025-01-08' },
      rises: [
        [A, 0.1, 0.4],
        [B, 0.2, 0.3],
      ],
    });
    assert.deepEqual(await risesOf(historyOf(days), 2), {
      window: { before: '2025-01-05', after: '2025-01-08' },
      rises: [[A, 0.2, 0.4]],
    });
  });

  test('is compared with the first day where the history is shorter', async () => {
    assert.equal((await risesOf(historyOf(days), 90)).window?.before, '2025-01-01');
  });

  test('is not known from one day', async () => {
    assert.deepEqual(await risesOf(historyOf(days.slice(0, 1)), 7), { window: null, rises: [] });
  });

  test('is not compared across a change of model', async () => {
    const changed: Day[] = [...days, ['2025-01-09', 'v2', { [A]: 0.9, [B]: 0.9, [C]: 0.9 }]];
    assert.deepEqual(await risesOf(historyOf(changed), 7), { window: null, rises: [] });
    const after: Day[] = [...changed, ['2025-01-10', 'v2', { [A]: 0.95, [B]: 0.9, [C]: 0.1 }]];
    assert.deepEqual(await risesOf(historyOf(after), 7), {
      window: { before: '2025-01-09', after: '2025-01-10' },
      rises: [[A, 0.9, 0.95]],
    });
  });

  test('does not depend on how often a day was loaded', async () => {
    const corrected: Day[] = [...days, ['2025-01-08', 'v1', { [A]: 0.5, [B]: 0.3, [C]: 0.9 }]];
    assert.deepEqual((await risesOf(historyOf(corrected), 7)).rises[0], [A, 0.1, 0.5]);
  });
});

import { formatAge, formatNumber } from '../../engine/summary.ts';
import type { status } from '../../operations/service/status.ts';
import { type AnswerOf, defineView, table } from './view.ts';

type Source = AnswerOf<typeof status>['data_sources'][string];

const statusView = defineView<typeof status>('status', ({ data_sources, ...service }) => {
  const sources = Object.entries(data_sources).map(([id, source]) => ({ id, ...source }));
  const feeds = sources.filter(({ kind }) => kind === 'synced');
  const asked = sources.filter(({ kind }) => kind !== 'synced');
  return {
    verdict: [service.status, `version ${service.version}`, `catalog ${service.catalog}`],
    sections: [
      table(
        'feeds',
        feeds,
        [
          { title: 'feed', cell: ({ id }) => id },
          { title: 'state', cell: ({ status: state }) => state, rank: 1 },
          {
            title: 'data',
            cell: ({ age_seconds }) => (age_seconds === null ? null : `${formatAge(age_seconds)} old`),
            rank: 2,
          },
          { title: 'synced', cell: ({ last_success_at }) => last_success_at, rank: 4, min: Infinity },
          {
            title: 'records',
            cell: ({ records }) => (records === null ? null : formatNumber(records)),
            align: 'right',
            rank: 3,
          },
          { title: 'problem', cell: problemOf, rank: 2 },
          { title: 'what', cell: ({ title }) => title, rank: 6 },
        ],
        { limit: feeds.length },
      ),
      table(
        'live sources that cannot be asked, or did not answer last time',
        asked.filter(({ status: state }) => state !== 'ok'),
        [
          { title: 'source', cell: ({ id }) => id },
          { title: 'state', cell: ({ status: state }) => state },
          { title: 'problem', cell: problemOf },
          { title: 'what', cell: ({ title }) => title },
        ],
        { limit: asked.length },
      ),
    ],
  };
});

function problemOf({ last_error, notes }: Source): string | null {
  return last_error ?? notes[0] ?? null;
}

export const SERVICE_VIEWS = [statusView];

import { formatCount } from '../../engine/summary.ts';
import type { epssHistory } from '../../operations/cve/epss-history.ts';
import type { epssLookup } from '../../operations/cve/epss-lookup.ts';
import { percentCell } from './cve-parts.ts';
import { defineView, table, textLines } from './view.ts';

const epssView = defineView<typeof epssLookup>('epss_lookup', (epss) => ({
  facts: {
    model: epss.model_version,
    history:
      epss.history.length < 2
        ? null
        : `${formatCount(epss.history.length, 'day')}: sextant epss-history ${epss.cve_id}`,
  },
}));

const epssHistoryView = defineView<typeof epssHistory>('epss_history', ({ series, model_changes }) => ({
  sections: [
    table(null, series.toReversed(), [
      { title: 'date', cell: ({ date }) => date },
      { title: 'EPSS', cell: ({ score }) => percentCell(score), align: 'right' },
      { title: 'percentile', cell: ({ percentile }) => percentCell(percentile), align: 'right' },
      { title: 'model', cell: ({ model }) => model },
    ]),
    textLines(
      'changes of the model: scores before and after are not comparable',
      model_changes.map(({ date, from, to }) => `${date}: from ${from} to ${to}`),
    ),
  ],
}));

/** How likely a CVE is to be exploited, and how that changed. */
export const EPSS_VIEWS = [epssView, epssHistoryView];

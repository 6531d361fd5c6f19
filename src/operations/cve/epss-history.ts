import { z } from 'zod';
import { CveId } from '../../engine/input/identifiers.ts';
import { notFoundError } from '../../engine/not-found-error.ts';
import { defineOperation, lookupOutputSchema } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { formatCount, formatPercent, joinSummary } from '../../engine/summary.ts';
import { MODEL_CHANGE_MEANING, modelChangesOf } from './lib/epss-days.ts';

const ShareField = z.number().min(0).max(1);

export const epssHistory = defineOperation({
  id: 'epss_history',
  area: 'cve',
  title: 'EPSS history',
  description:
    'The EPSS score of a CVE on each day that this service has loaded, oldest first, and the days on which the model changed. A day that was not loaded is left out.',
  route: 'GET /v1/epss/:cve_id/history',
  input: z.strictObject({ cve_id: CveId }),
  output: lookupOutputSchema('EpssHistory', {
    cve_id: z.string(),
    series: z.array(
      z.object({
        date: z.string(),
        score: ShareField,
        percentile: ShareField.nullable().meta({
          description: 'Null: not kept, because the score was the one of the day before.',
        }),
        model: ForeignText.nullable(),
      }),
    ),
    model_changes: z
      .array(z.object({ date: z.string(), from: ForeignText, to: ForeignText }))
      .meta({ description: MODEL_CHANGE_MEANING }),
    first_date: z.string().nullable().meta({ description: 'First day of the series; null where it is empty.' }),
  }),
  cost: 1,
  examples: [{ title: 'Log4Shell', input: { cve_id: 'CVE-2021-44228' } }],
  tool: {
    description:
      "A CVE's EPSS score by day, with the days on which the model changed. For today's score use cve_lookup, for what rose most epss_risers.",
    openWorld: false,
  },
  cacheable: true,
  falsifiableFields: ['series[].score'],
  answer({ cve_id }, { catalog, evidence }) {
    const series = catalog.epssSeries(cve_id);
    const first = series[0];
    const last = series.at(-1);
    if (first === undefined || last === undefined)
      throw notFoundError(catalog, ['epss'], `EPSS has no score for ${cve_id}: it scores published CVEs only.`);
    if (first.date === catalog.epssDays[0]?.date)
      evidence.addGap(`EPSS scores before ${first.date} are not known here`);
    const changes = modelChangesOf(series);
    const highest = series.reduce((top, point) => (point.score > top.score ? point : top));
    return {
      cve_id,
      series: series.map(({ date, score, percentile, model }) => ({ date, score, percentile, model })),
      model_changes: changes,
      first_date: first.date,
      summary: joinSummary(
        `${cve_id}: EPSS ${formatPercent(last.score)} on ${last.date}${series.length === 1 ? '.' : `, ${formatPercent(first.score)} on ${first.date}, highest ${formatPercent(highest.score)} on ${highest.date} (${formatCount(series.length, 'day')} known).`}`,
        changes.length > 0 &&
          `The model changed on ${changes.map(({ date }) => date).join(', ')}: scores before and after it cannot be compared.`,
      ),
    };
  },
  nextCalls: ({ cve_id }) => [
    { tool: 'cve_lookup', input: cve_id, reason: 'What the CVE is, and how soon to act.' },
    {
      tool: 'calculate_risk_score',
      input: cve_id,
      reason: 'EPSS together with CVSS, known exploitation and public exploits.',
    },
  ],
});

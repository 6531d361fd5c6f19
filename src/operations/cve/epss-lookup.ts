import { z } from 'zod';
import { notFoundError } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { CveId } from '../../engine/input/identifiers.ts';
import { formatPercent, joinSummary } from '../../engine/summary.ts';

const MAX_HISTORY_ROWS = 60;
const ShareField = z.number().min(0).max(1);

export const epssLookup = defineOperation({
  id: 'epss_lookup',
  area: 'cve',
  title: 'EPSS score',
  description:
    'The EPSS score of a CVE today, and as it changed since this service began to keep it (one row a change, newest first).',
  route: 'GET /v1/epss/:cve_id',
  input: z.strictObject({ cve_id: CveId }),
  output: lookupOutputSchema('EpssScore', {
    cve_id: z.string(),
    score: ShareField,
    percentile: ShareField,
    score_date: z.string().nullable(),
    model_version: ForeignText.nullable(),
    history: z.array(z.object({ date: z.string(), score: ShareField, percentile: ShareField })),
  }),
  cost: 1,
  examples: [{ title: 'Log4Shell', input: { cve_id: 'CVE-2021-44228' } }],
  falsifiableFields: ['score', 'percentile'],
  answer({ cve_id }, { catalog }) {
    const epss = catalog.epss(cve_id);
    if (epss === null)
      throw notFoundError(catalog, ['epss'], `EPSS has no score for ${cve_id}: it scores published CVEs only.`);
    const state = catalog.sources.epss ?? catalog.sources.starter;
    const date = state?.notes.score_date ?? state?.data_time?.slice(0, 10) ?? null;
    return {
      cve_id,
      ...epss,
      score_date: date,
      model_version: state?.notes.model_version ?? null,
      history: catalog.epssChanges(cve_id, MAX_HISTORY_ROWS),
      summary: joinSummary(
        `${cve_id}: ${formatPercent(epss.score)} probability of exploitation within 30 days${date === null ? '' : ` as of ${date}`}, higher than ${formatPercent(shareBelow(epss.percentile))} of all CVEs.`,
      ),
    };
  },
  nextCalls: ({ cve_id }) => [
    {
      tool: 'calculate_risk_score',
      input: cve_id,
      reason: 'EPSS together with CVSS, known exploitation and public exploits.',
    },
  ],
});

/** Share of lower scores, rounded down and below 1: no CVE is higher than all, itself included. */
function shareBelow(percentile: number): number {
  return Math.min(0.999, Math.floor(percentile * 1000) / 1000);
}

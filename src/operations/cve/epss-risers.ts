import { z } from 'zod';
import { selectSeverity } from '../../analysis/cve/select-severity.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { EpssRiserPage } from '../../catalog/catalog.ts';
import type { CveDossier } from '../../catalog/cve-dossier.ts';
import type { Evidence } from '../../engine/evidence.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { listOutputSchema, pageResult, pagingFields } from '../../engine/paged-list.ts';
import { firstThree, formatCount, joinSummary } from '../../engine/summary.ts';
import { MODEL_CHANGE_MEANING, modelChangesOf } from './lib/epss-days.ts';
import { KevStatus, Severity } from './lib/schemas.ts';
import { presentKev, titleOf } from './lib/present-cve.ts';

const DAY_MS = 86_400_000;
/** Scores have five decimals; differences of them have more. */
const SCORE_DIGITS = 5;
const ShareField = z.number().min(0).max(1);
const DateField = z.string().meta({ examples: ['2026-08-15'] });

const Riser = z.object({
  cve_id: z.string(),
  title: ForeignText.nullable(),
  severity: Severity.nullable(),
  kev: KevStatus,
  before: ShareField,
  after: ShareField,
  rise: ShareField,
  before_date: DateField,
  after_date: DateField,
});

export const epssRisers = defineOperation({
  id: 'epss_risers',
  area: 'cve',
  title: 'EPSS risers',
  description:
    'CVEs whose EPSS score rose within the last days, highest rise first. Where the model changed in between, the comparison begins on the first day of the new model; CVEs that had no score before are left out.',
  route: 'GET /v1/epss/risers',
  input: z.strictObject({
    days: z.number().int().min(1).max(90).default(7).meta({ description: 'How far back, 1-90 days.' }),
    min_score: z.number().min(0).max(1).default(0.05).meta({ description: 'EPSS score of at least this now, 0-1.' }),
    ...pagingFields,
    limit: pagingFields.limit.default(20),
  }),
  output: listOutputSchema('EpssRisers', Riser, {
    before_date: DateField.nullable().meta({ description: 'Null: there are no two days to compare.' }),
    after_date: DateField.nullable(),
    model_changed_on: DateField.nullable().meta({ description: MODEL_CHANGE_MEANING }),
  }),
  cost: 1,
  examples: [{ title: 'Of the last week', input: { days: 7, limit: 5 } }],
  tool: {
    description:
      'CVEs whose EPSS score rose most within some days: what is about to be exploited. For one CVE by day use epss_history.',
    openWorld: false,
  },
  cacheable: true,
  falsifiableFields: ['results[].after'],
  async answer(query, { catalog, evidence }) {
    requireFeedData(catalog, 'epss');
    const { days, min_score: minScore, limit, offset } = query;
    const { window, total, risers } = await catalog.epssRisers({ days, minScore, limit, offset });
    const [before_date, after_date] = [window?.before ?? null, window?.after ?? null];
    const model_changed_on = modelChangeWithin(catalog, days);
    const reach = addReachGap(window, model_changed_on, days, catalog, evidence);
    const rows = window === null ? [] : risers.map((riser) => presentRiser(riser, window));
    return {
      ...pageResult(rows, total, query),
      before_date,
      after_date,
      model_changed_on,
      summary: joinSummary(
        window === null
          ? reach
          : `${formatCount(total, 'CVE')} with EPSS of at least ${minScore} rose from ${window.before} to ${window.after}.`,
        firstThree(
          'Highest',
          rows.map(({ cve_id, rise }) => `${cve_id} (+${rise})`),
        ),
        window !== null && reach,
      ),
    };
  },
});

function presentRiser(
  { cve, before, after }: EpssRiserPage['risers'][number],
  window: { before: string; after: string },
): z.output<typeof Riser> {
  return {
    cve_id: cve.cve_id,
    title: titleOf(cve),
    severity: severityOf(cve),
    kev: presentKev(cve),
    before,
    after,
    rise: Number((after - before).toFixed(SCORE_DIGITS)),
    before_date: window.before,
    after_date: window.after,
  };
}

function severityOf({ record }: CveDossier) {
  return selectSeverity(record?.metrics ?? []).severity;
}

/** The day of the newest change of model that keeps the comparison from reaching back as far as asked. */
function modelChangeWithin(catalog: CatalogView, days: number): string | null {
  const newest = catalog.epssDays.at(-1);
  const change = modelChangesOf(catalog.epssDays).at(-1);
  return newest === undefined || change === undefined || daysBetween(change.date, newest.date) >= days
    ? null
    : change.date;
}

/** Records why the comparison does not reach back as far as asked, and gives the sentence; null: it does. */
function addReachGap(
  window: EpssRiserPage['window'],
  modelChangedOn: string | null,
  days: number,
  catalog: CatalogView,
  evidence: Evidence,
): string | null {
  if (window !== null && daysBetween(window.before, window.after) >= days) return null;
  const first = catalog.epssDays[0]?.date;
  const why =
    modelChangedOn === null
      ? `EPSS scores here begin on ${first}: ${window === null ? 'there is no earlier day to compare with' : `${days} days back are not known`}`
      : `the EPSS model changed on ${modelChangedOn}: scores of earlier days cannot be compared`;
  evidence.addGap(why);
  return `${why[0]!.toUpperCase()}${why.slice(1)}.`;
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

import { displayLine } from '../../analysis/display-text.ts';
import { textKindPhrase } from '../../analysis/recognize-text.ts';
import type { Verdict } from '../../engine/evidence.ts';
import { formatCount } from '../../engine/summary.ts';
import { OPERATIONS } from '../../operations/list.ts';
import { answerLines } from '../answer-view.ts';
import { cvssShown, type CvssShown } from '../views/cvss.ts';
import { findView } from '../views/list.ts';
import { table, type View } from '../views/view.ts';
import { countOutcomes, type Outcome } from './look-up-many.ts';

const MAX_SHOWN_CHARACTERS = 60;
const MAX_VERDICT_CHARACTERS = 160;

/** The outcomes of a list for people. */
export function outcomeLines(outcomes: readonly Outcome[], width: number, now: Date): string[] {
  const verdict = joinVerdicts(outcomes);
  const view = outcomesView(outcomes, now);
  return answerLines(verdict === null ? {} : { verdict }, OPERATIONS, { width, view, all: false });
}

/** A verdict line for each thing in the order given, then what has no answer, with why. */
function outcomesView(outcomes: readonly Outcome[], now: Date): View {
  const { total, answered, not_found, not_recognised, failed } = countOutcomes(outcomes);
  const without = [
    not_found > 0 ? `${not_found} not known here` : null,
    not_recognised > 0 ? `${not_recognised} not recognised` : null,
    failed > 0 ? `${failed} failed` : null,
  ].filter((part) => part !== null);
  const rows = outcomes
    .filter(({ answer }) => answer !== null)
    .map((outcome) => ({ outcome, view: viewOf(outcome, now) }));
  return {
    title: `${answered} of ${formatCount(total, 'thing')} answered${without.length === 0 ? '' : `; ${without.join(', ')}`}.`,
    sections: [
      table(
        null,
        rows,
        [
          { title: 'asked', cell: ({ outcome }) => shownText(outcome) },
          { title: 'it is', cell: ({ outcome }) => textKindPhrase(outcome.kind), rank: 3 },
          {
            title: 'verdict',
            cell: ({ outcome, view }) => verdictLine(outcome, view),
            wrap: true,
            mark: 'verdict',
            rank: 1,
          },
          { title: 'name', cell: ({ view }) => (view === null ? null : nameOf(view)), rank: 4, min: 24 },
        ],
        { limit: total },
      ),
      table(
        'without an answer',
        outcomes.filter(({ answer }) => answer === null),
        [
          { title: 'asked', cell: shownText },
          { title: 'because', cell: ({ error }) => error?.message, wrap: true },
        ],
        { limit: total },
      ),
    ],
  };
}

/** The plain form, and what was written to be no link as it was given. */
function shownText({ given, value }: Outcome): string {
  return displayLine(given.toLowerCase().includes(value.toLowerCase()) ? value : given, MAX_SHOWN_CHARACTERS);
}

function viewOf({ operation, answer, input }: Outcome, now: Date): View | null {
  if (operation === null) return cvssShown(answer as unknown as CvssShown);
  return findView(operation)?.show(answer!, { input: input!, now }) ?? null;
}

/** What a title says besides what was asked: `PowerShell` of `T1059.001: PowerShell`. */
function nameOf({ title = '' }: View): string | null {
  const colon = title.indexOf(': ');
  return colon === -1 ? null : title.slice(colon + 2);
}

/** The verdict of a view, else the summary without what it is about. */
function verdictLine({ answer }: Outcome, view: View | null): string {
  const statements = (view?.verdict ?? []).filter((statement) => statement != null && statement !== '');
  if (view?.title !== undefined && statements.length > 0) return statements.join(' · ');
  return displayLine(String(answer!['summary']).replace(/^\S{1,60}: /, ''), MAX_VERDICT_CHARACTERS);
}

/** The verdicts of all answers as one: all sources, the greatest age, the least completeness, each gap once. */
export function joinVerdicts(outcomes: readonly Outcome[]): Verdict | null {
  const verdicts = outcomes.flatMap(({ answer }) => (answer?.['verdict'] as Verdict | undefined) ?? []);
  if (verdicts.length === 0) return null;
  const all = (list: (verdict: Verdict) => readonly string[]): string[] =>
    [...new Set(verdicts.flatMap(list))].toSorted();
  const ages = verdicts.map(({ data_age_seconds }) => data_age_seconds).filter((age) => age !== null);
  const completeness = (['minimal', 'partial', 'complete'] as const).find((level) =>
    verdicts.some((verdict) => verdict.completeness === level),
  )!;
  return {
    deterministic: verdicts.every(({ deterministic }) => deterministic),
    falsifiable_fields: [],
    data_age_seconds: ages.length === 0 ? null : Math.max(...ages),
    sources_queried: all(({ sources_queried }) => sources_queried),
    sources_unavailable: all(({ sources_unavailable }) => sources_unavailable),
    completeness,
    gaps: all(({ gaps }) => gaps),
  };
}

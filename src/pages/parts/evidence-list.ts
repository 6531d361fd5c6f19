import type { Verdict } from '../../engine/evidence.ts';
import { formatAge } from '../../engine/summary.ts';
import { html, type Html } from '../html.ts';

/** Sources with the age of the oldest data, what did not answer, and what is missing. Null: nothing of that is known. */
export function evidenceList(verdicts: readonly Verdict[]): Html | null {
  const asked = unique(verdicts.flatMap(({ sources_queried }) => sources_queried));
  const silent = unique(verdicts.flatMap(({ sources_unavailable }) => sources_unavailable));
  const gaps = unique(verdicts.flatMap(({ gaps }) => gaps));
  const ages = verdicts.flatMap(({ data_age_seconds }) => data_age_seconds ?? []);
  if (asked.length + silent.length + gaps.length === 0) return null;
  return html`<dl class="facts">
${asked.length > 0 && html`<dt>Sources</dt><dd>${asked.join(', ')}</dd>`}
${ages.length > 0 && html`<dt>Oldest data</dt><dd>${formatAge(Math.max(...ages))} old</dd>`}
${silent.length > 0 && html`<dt>Did not answer</dt><dd>${silent.join(', ')}</dd>`}
${gaps.length > 0 && html`<dt>Missing</dt><dd><ul>${gaps.map((gap) => html`<li>${gap}</li>`)}</ul></dd>`}
</dl>`;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

import { html, type Html } from '../html.ts';

/** Severities from the worst, of CVEs and of findings. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'UNKNOWN'] as const;

/** A severity as a word with its shape and tone; the shape tells it without colour. `score`: of CVSS, or null; `unknown`: the word without one. */
export function severityBadge(
  severity: string | null,
  score: number | null = null,
  unknown = 'severity not known',
): Html {
  const word = SEVERITIES.find((known) => known === severity?.toUpperCase()) ?? 'UNKNOWN';
  const text = word === 'UNKNOWN' ? unknown : word.toLowerCase();
  return html`<span class="severity severity-${word.toLowerCase()}">${text}${score !== null && html` <b>${score.toFixed(1)}</b>`}</span>`;
}

/** The loudest mark of a page. */
export function exploitedBadge(since: string | null = null): Html {
  return html`<strong class="exploited">known exploited${since !== null && html` <span>since ${since}</span>`}</strong>`;
}

/** A letter grade, A+ to F, as its own mark. */
export function gradeBadge(grade: string | null): Html {
  const tone = grade === null ? 'none' : grade.charAt(0).toLowerCase();
  return html`<span class="grade grade-${tone}">${grade ?? 'no grade'}</span>`;
}

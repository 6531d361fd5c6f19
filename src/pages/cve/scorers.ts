import { describeBaseMetrics } from '../../analysis/cvss/describe-base-metrics.ts';
import { CvssVectorError } from '../../analysis/cvss/parse-vector.ts';
import { html, type Html } from '../html.ts';
import { severityBadge } from '../parts/severity.ts';
import { type Cve, scorerName } from './answers.ts';

type Assessment = NonNullable<Cve['severity_sources']>[number];

/** Every scorer beside the others, by CVSS version, with the metrics in words; where they differ is marked. */
export function scorersSection(cve: Cve): Html {
  const assessments = cve.severity_sources ?? [];
  const versions = [...Map.groupBy(assessments, ({ version }) => version)].toSorted(([a], [b]) => b.localeCompare(a));
  return html`<section id="scorers"><h2>${heading(cve, assessments)}</h2>
${cve.severity_reason !== undefined && assessments.length > 0 && html`<p>${cve.severity_reason}</p>`}
${assessments.length === 0 && html`<p class="unknown">No severity is known: neither the NVD nor the CNA gives a CVSS vector. That is not a sign of low severity.</p>`}
${versions.map(([version, of], at) => (at === 0 ? [html`<h3>CVSS ${version}</h3>`, versionTable(version, of)] : older(version, versionTable(version, of))))}</section>`;
}

function heading({ severity_disagreement, severity }: Cve, assessments: readonly Assessment[]): string {
  const scorers = [...new Set(assessments.map(({ scorer }) => scorerName(scorer)))];
  if (scorers.length === 0) return 'Nobody has scored it yet';
  if (severity_disagreement === true) return `Scorers disagree: ${stands(assessments)}`;
  const word = severity?.toLowerCase() ?? 'no impact';
  return scorers.length === 1
    ? `${scorers[0]} scores it ${word}; no other scorer is known`
    : `${scorers.length} scorers agree: ${word}`;
}

/** `critical (NVD), high (github)`: each severity with the scorers of it. */
function stands(assessments: readonly Assessment[]): string {
  const scored = assessments.filter(({ version, severity }) => version !== '2.0' && severity !== null);
  const bySeverity = Map.groupBy(
    scored.length > 0 ? scored : assessments,
    ({ severity }) => severity?.toLowerCase() ?? 'none',
  );
  return [...bySeverity]
    .map(([severity, of]) => `${severity} (${[...new Set(of.map(({ scorer }) => scorerName(scorer)))].join(', ')})`)
    .join(', ');
}

/** What an older version of CVSS says is one click away. */
function older(version: string, table: Html): Html {
  return html`<details><summary>CVSS ${version}</summary>${table}</details>`;
}

function versionTable(version: string, assessments: readonly Assessment[]): Html {
  const words = assessments.map(({ vector }) => wordsOf(vector));
  const metrics = Object.keys(words.find((known) => known !== null) ?? {});
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Scorers of CVSS ${version}"><table class="scorers"><thead><tr><th scope="col">Scorer</th>${assessments.map(({ scorer, source }) => html`<th scope="col">${scorerName(scorer)}${source !== scorerName(scorer).toLowerCase() && html` <span class="note">by ${source}</span>`}</th>`)}</tr></thead><tbody>
<tr><th scope="row">Severity</th>${assessments.map(({ severity, base_score }) => html`<td>${severityBadge(severity, base_score)}</td>`)}</tr>
${metrics.map((metric) => metricRow(metric, words))}
<tr><th scope="row">Vector</th>${assessments.map(({ vector }) => html`<td><code>${vector}</code></td>`)}</tr>
</tbody></table></div>`;
}

function metricRow(metric: string, words: readonly (Record<string, string> | null)[]): Html {
  const values = words.map((known) => known?.[metric] ?? null);
  const differs = new Set(values).size > 1;
  return html`<tr><th scope="row">${wordOf(metric)}</th>${values.map((value) => html`<td>${differs ? html`<strong>${value === null ? 'not known' : wordOf(value)}</strong>` : wordOf(value ?? 'not known')}</td>`)}</tr>`;
}

function wordOf(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ');
}

function wordsOf(vector: string): Record<string, string> | null {
  try {
    return describeBaseMetrics(vector);
  } catch (error) {
    if (error instanceof CvssVectorError) return null;
    throw error;
  }
}

import type { z } from 'zod';
import type { DomainFinding, PartVerdict } from '../../analysis/domain-verdict.ts';
import { MODULE_IDS, type ModuleId } from '../../analysis/scan/modules.ts';
import { suggestHeaderLine } from '../../analysis/headers/suggest-header.ts';
import { describeScore, formatCount } from '../../engine/summary.ts';
import type { contrastScan } from '../../operations/web/contrast-scan.ts';
import { html, type Html } from '../html.ts';
import { gradeBadge } from '../parts/severity.ts';

export type ScanAnswer = z.output<(typeof contrastScan)['output']>;

const MODULE_NAMES: Readonly<Record<ModuleId, string>> = {
  ssl: 'TLS',
  redirect: 'Redirect to HTTPS',
  html: 'Page',
  cors: 'Access by other sites (CORS)',
  cookies: 'Cookies',
  csp_analysis: 'Content Security Policy',
  headers: 'Other headers',
  dns: 'DNS',
  dnssec: 'DNSSEC',
  methods: 'Methods',
  disclosure: 'Disclosure',
};

/** The scan in a few words. */
export function judgeScan({ grade, total_score, max_score }: ScanAnswer): PartVerdict {
  const points = describeScore(total_score, 'higher', max_score);
  if (grade === null) return { text: `too little seen for a grade, ${points}`, tone: 'unknown' };
  const [word, tone] =
    grade === 'A'
      ? (['good', 'good'] as const)
      : grade === 'B'
        ? (['fair', 'fair'] as const)
        : (['weak', 'bad'] as const);
  return { text: `${word}: grade ${grade}, ${points}`, tone };
}

/** Findings of the scan. A rule can find two things, in one module too: each has an id of its own. */
export function scanFindings({ findings }: ScanAnswer): DomainFinding[] {
  const times = new Map<string, number>();
  return findings.map(
    ({ id: rule, module, severity, title, description, remediation, reference, evidence, how_to_fix }) => {
      const line = suggestHeaderLine(rule);
      const name = `scan.${module}.${rule}`;
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      return {
        id: time === 1 ? name : `${name}-${time}`,
        part: 'web',
        severity,
        exploited: false,
        cves: [],
        title,
        why: description,
        fix: remediation,
        paste: line === null ? null : { place: 'Response header of the web server', text: line },
        guide: how_to_fix,
        evidence,
        reference,
      };
    },
  );
}

/** Points and observations of all modules. */
export function drawScan(answer: ScanAnswer): Html {
  const missing = MODULE_IDS.filter((id) => answer[id].score === null);
  return html`<h2>${formatCount(MODULE_IDS.length - missing.length, 'module')} of ${MODULE_IDS.length} looked at</h2>
<p>${gradeBadge(answer.grade)} ${describeScore(answer.total_score, 'higher', answer.max_score)}.${missing.length > 0 && ` Not known, and not counted: ${missing.map((id) => MODULE_NAMES[id]).join(', ')}.`}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Modules"><table><thead><tr><th scope="col">Module</th><th scope="col" class="number">Points</th><th scope="col">Seen</th></tr></thead><tbody>${MODULE_IDS.map(
    (id) => {
      const { score, max, details } = answer[id];
      return html`<tr id="module-${id}"><th scope="row">${MODULE_NAMES[id]}</th><td class="number">${score === null ? html`<span class="unknown">not known</span>` : `${score} of ${max}`}</td><td>${details.length === 0 ? '' : html`<ul class="plain">${details.map((detail) => html`<li>${detail}</li>`)}</ul>`}</td></tr>`;
    },
  )}</tbody></table></div>`;
}

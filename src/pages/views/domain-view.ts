import { html, type Html } from '../html.ts';
import {
  drawNames,
  drawRegistration,
  drawRisk,
  drawThreats,
  judgeRegistration,
  judgeThreats,
  type ReportAnswer,
} from '../domain/report.ts';
import { verdictItem } from '../domain/verdict-item.ts';
import { inViewFrame } from './view-frame.ts';

/** What is known of a domain, from the answer of `domain_report`. */
export function renderAnswer(report: ReportAnswer): Html {
  const factors = report.risk.factors.map(
    ({ reason, points }) => html`<li>${reason} <span class="note">${points > 0 && '+'}${points}</span></li>`,
  );
  return inViewFrame(
    report,
    html`<h1><span class="id">${report.domain}</span></h1>
<div class="strip">${drawRisk(report)}${verdictItem('Registration', judgeRegistration(report))}${verdictItem('Threat lists', judgeThreats(report))}</div>
${factors.length > 0 && html`<section><h2>What the risk is made of</h2><ul>${factors}</ul></section>`}
<section>${drawRegistration(report)}</section>
<section>${drawThreats(report)}</section>
<section>${drawNames(report)}</section>`,
  );
}

import type { z } from 'zod';
import { formatCount } from '../../engine/summary.ts';
import { threatReport } from '../../operations/ip/threat-report.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import type { LatePart, PageContext } from '../page.ts';
import { errorNote, known } from './states.ts';
import { threatBadge } from './threat.ts';

type Report = z.output<typeof threatReport.output>;

/** Tokens that the report takes. */
export const REPORT_COST = Number(threatReport.cost);

/** The full threat report of an address, when it has come. */
export function threatReportPart(ip: string, context: PageContext): LatePart {
  return {
    id: 'report',
    waiting: html`<h2>Threat report</h2><p>AbuseIPDB, Shodan and all lists are being asked.</p>`,
    content: context
      .tryAsk(threatReport, { ip })
      .then(({ answer, error }) =>
        answer === null ? html`<h2>Threat report</h2>${errorNote(error, 'The report')}` : reportSection(answer),
      ),
  };
}

const STATUS_TEXTS = {
  no_data: 'knows nothing of it',
  not_configured: 'not asked: no key for it is configured here',
  unavailable: 'did not answer',
} as const;

/** What AbuseIPDB says, in a line. */
export function abusePhrase({ status, score, total_reports, distinct_users }: Report['abuseipdb']): HtmlValue {
  if (status !== 'ok') return html`<span class="unknown">${STATUS_TEXTS[status]}</span>`;
  if (total_reports === 0) return 'nobody has reported it in 90 days';
  const by = distinct_users === null ? '' : ` by ${formatCount(distinct_users, 'reporter')}`;
  return `${formatCount(total_reports ?? 0, 'report')} in 90 days${by}, confidence of abuse ${score ?? 0} %`;
}

function reportSection({ threat_level, threat_score, threat_reasons, abuseipdb, shodan }: Report): Html {
  return html`<h2>Threat report: ${threatBadge(threat_level, threat_score)}</h2>
${threat_reasons.length > 0 && html`<ul>${threat_reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
<div class="columns"><div><h3>AbuseIPDB</h3>${
    abuseipdb.status === 'ok'
      ? html`<dl class="facts"><dt>Confidence of abuse</dt><dd>${abuseipdb.score === null ? known(null) : `${abuseipdb.score} %`}</dd>
<dt>Reports in 90 days</dt><dd>${known(abuseipdb.total_reports)}${abuseipdb.distinct_users !== null && ` by ${formatCount(abuseipdb.distinct_users, 'reporter')}`}</dd>
<dt>Last report</dt><dd>${known(abuseipdb.last_reported_at?.slice(0, 10))}</dd><dt>Use</dt><dd>${known(abuseipdb.usage_type)}</dd><dt>Provider</dt><dd>${known(abuseipdb.isp)}</dd></dl>`
      : html`<p class="unknown">${STATUS_TEXTS[abuseipdb.status]}</p>`
  }</div>
<div><h3>Shodan</h3>${
    shodan.status === 'ok'
      ? html`<dl class="facts"><dt>Organisation</dt><dd>${known(shodan.org)}</dd><dt>Provider</dt><dd>${known(shodan.isp)}</dd><dt>System</dt><dd>${known(shodan.os)}</dd>
<dt>Ports</dt><dd>${known(shodan.ports?.join(', '))}</dd><dt>Seen</dt><dd>${known(shodan.last_update?.slice(0, 10))}</dd></dl>`
      : html`<p class="unknown">${STATUS_TEXTS[shodan.status]}</p>`
  }</div></div>`;
}

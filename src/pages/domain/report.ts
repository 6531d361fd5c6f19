import type { z } from 'zod';
import {
  type PartVerdict,
  registrationVerdict,
  threatVerdict,
  UNKNOWN_VERDICT,
} from '../../analysis/domain-verdict.ts';
import { type OpenFinding, raiseRisk } from '../../analysis/domain-risk.ts';
import { capitalize, describeScore, formatCount } from '../../engine/summary.ts';
import type { domainReport } from '../../operations/domain/domain-report.ts';
import { riskWord } from '../../operations/domain/lib/describe-risk.ts';
import { html, type Html } from '../html.ts';
import { foreignLink, link, paths, withQuery } from '../links.ts';
import { gradeBadge } from '../parts/severity.ts';
import { known, stateNote } from '../parts/states.ts';

export type ReportAnswer = z.output<(typeof domainReport)['output']>;

const MAX_ROWS = 50;
const MAX_CERTIFICATES = 10;

/** The risk of dealing with the domain, over all findings that are shown beside it. `silent`: parts of which nothing is known. */
export function drawRisk(
  { domain, risk }: ReportAnswer,
  findings: readonly OpenFinding[] = [],
  silent: readonly string[] = [],
): Html {
  const { grade, score, factors } = raiseRisk(risk, findings);
  const notAssessed = [...new Set([...risk.not_assessed.map((part) => part.replaceAll('_', ' ')), ...silent])];
  return html`<p class="part-verdict risk" data-title="${domain}: ${riskWord(grade)}, ${describeScore(score, 'lower')} · Sextant">${gradeBadge(grade)} <strong>${capitalize(riskWord(grade))}</strong> <span>${describeScore(score, 'lower')}.</span> <span>${factors[0]?.reason ?? 'Nothing found that counts as a risk.'}${notAssessed.length > 0 && ` Not assessed: ${notAssessed.join(', ')}.`}</span></p>`;
}

/** What threat lists say of the domain and its addresses. */
export function judgeThreats({ threat, reputation }: ReportAnswer): PartVerdict {
  const urls = threat?.url_count == null ? null : { listed: threat.url_count, online: threat.urls_online ?? 0 };
  const lists = reputation?.flatMap(({ listed_on }) => (listed_on === null ? [] : [listed_on])) ?? [];
  return threatVerdict(urls, lists.length === 0 ? null : lists.flat());
}

/** How long it is registered. */
export function judgeRegistration({ whois }: ReportAnswer): PartVerdict {
  if (whois === null) return UNKNOWN_VERDICT;
  return registrationVerdict({ created: whois.creation_date, days: whois.days_to_expiry });
}

/** Names below the domain, and certificates in the logs. */
export function drawNames({ domain, subdomains, certificates }: ReportAnswer): Html {
  const all = withQuery(paths.domain(domain), { part: 'names' });
  return html`<h2>${subdomains === null ? 'Names below it: not known' : capitalize(formatCount(subdomains.count, 'name'))}${subdomains !== null && ' below it'}</h2>
${
  subdomains === null
    ? stateNote('partial', 'Names: not known', 'Neither the certificate logs nor the DNS answered in time.')
    : html`${subdomains.wildcard === true && html`<p class="note">Any name below ${domain} resolves (a wildcard): a name in the DNS proves little.</p>`}
<ul class="names">${subdomains.names.slice(0, MAX_ROWS).map(({ name, ips }) => html`<li>${link(paths.domain(name), name)}${ips === null && html` <span class="note">does not resolve</span>`}</li>`)}</ul>`
}
<p class="alone">${link(all, 'All names, with their addresses')} <span class="note">asks the certificate logs and ${domain}'s DNS again</span></p>
<h3 id="certificates">${certificates?.total_certificates == null ? 'Certificates in the logs: not known' : `${formatCount(certificates.total_certificates, 'certificate')} in the logs`}</h3>
${certificates?.certificates == null ? stateNote('partial', 'Certificates: not known', 'The certificate logs (crt.sh) did not answer in time.') : certificateTable(certificates.certificates)}`;
}

function certificateTable(rows: NonNullable<NonNullable<ReportAnswer['certificates']>['certificates']>): Html {
  if (rows.length === 0) return html`<p>None was logged for this name.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Certificates"><table><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Issuer</th><th scope="col">Name</th><th scope="col" class="number">Names</th><th scope="col">Entry</th></tr></thead><tbody>${rows
    .slice(0, MAX_CERTIFICATES)
    .map(
      ({ not_before, not_after, expired, issuer, common_name, names, url }) =>
        html`<tr><td class="day">${not_before.slice(0, 10)}</td><td class="day">${not_after.slice(0, 10)}${expired && ' (over)'}</td><td>${issuer}</td><td>${known(common_name)}</td><td class="number">${names}</td><td>${foreignLink(url, 'in the log')}</td></tr>`,
    )}</tbody></table></div>${rows.length > MAX_CERTIFICATES && html`<p class="note">The newest ${MAX_CERTIFICATES} of ${rows.length}.</p>`}`;
}

/** Who it is registered with, and until when. */
export function drawRegistration({ whois }: Pick<ReportAnswer, 'whois'>): Html {
  if (whois === null) {
    return html`<h2>Registration: not known</h2>${stateNote('partial', 'Registration: not known', 'Neither RDAP nor WHOIS of its registry answered in time, or the registry has no entry of it.')}`;
  }
  const {
    name,
    outcome,
    registrar,
    creation_date,
    updated_date,
    expiry_date,
    days_to_expiry,
    name_servers,
    status,
    dnssec,
    source,
    raw_excerpt,
  } = whois;
  const day = (date: string | null): string | null => date?.slice(0, 10) ?? null;
  return html`<h2>${outcome === 'registered' ? `Registered${creation_date === null ? '' : ` since ${day(creation_date)}`}` : `Registration: ${outcome}`}</h2>
<dl class="facts">
<dt>Name</dt><dd>${name} <span class="note">by ${source.toUpperCase()}</span></dd>
<dt>Registrar</dt><dd>${known(registrar)}</dd>
<dt>Until</dt><dd>${known(day(expiry_date))}${days_to_expiry !== null && (days_to_expiry < 0 ? `, over since ${formatCount(-days_to_expiry, 'day')}` : `, ${formatCount(days_to_expiry, 'day')} left`)}</dd>
<dt>Changed</dt><dd>${known(day(updated_date))}</dd>
<dt>Name servers</dt><dd>${name_servers.join(', ') || known(null)}</dd>
<dt>Status</dt><dd>${status.join(', ') || known(null)}</dd>
<dt>Signed delegation</dt><dd>${dnssec === null ? known(null) : dnssec ? 'yes' : 'no'}</dd>
</dl>
${raw_excerpt !== null && html`<details><summary>What the registry says, which could not be read</summary><pre>${raw_excerpt}</pre></details>`}`;
}

/** What threat lists say. */
export function drawThreats(answer: ReportAnswer): Html {
  const { threat, reputation, domain } = answer;
  return html`<h2>Threat lists: ${judgeThreats(answer).text}</h2>
<dl class="facts">
<dt>URLhaus</dt><dd>${threat?.url_count == null ? known(null, threat?.urlhaus_status === 'not_configured' ? 'it needs a key, and none is configured' : 'it did not answer') : threat.url_count === 0 ? 'lists no malware address on it' : `${formatCount(threat.url_count, 'malware address')} on it, ${threat.urls_online ?? 0} online, first seen ${threat.first_seen?.slice(0, 10) ?? 'on a day not known'}`}</dd>
${(reputation ?? []).map(
  ({ ip, listed_on, cloud_provider, vulnerabilities }) =>
    html`<dt>${link(paths.ip(ip), ip)}</dt><dd>${listed_on === null ? known(null, 'no list of addresses has been synced') : listed_on.length === 0 ? 'on no list' : `on ${listed_on.join(', ')}`}${cloud_provider !== null && `, at ${cloud_provider}`}${vulnerabilities !== null && vulnerabilities.total > 0 && `, its services may have ${formatCount(vulnerabilities.total, 'vulnerability')}`}${(vulnerabilities?.exploited ?? 0) > 0 && `, ${vulnerabilities!.exploited} of them known to be exploited`}</dd>`,
)}
${reputation === null && html`<dt>Its addresses</dt><dd>${known(null, 'they were not looked up in time')}</dd>`}
</dl>
${threat?.urls != null && threat.urls.length > 0 && html`<details><summary>Malware addresses; do not open them</summary><ul>${threat.urls.map(({ url, online, date_added }) => html`<li><span class="address">${url.replace(/^http/i, 'hxxp')}</span> <span class="note">${online === true ? 'online' : online === false ? 'offline' : 'state not known'}${date_added !== null && `, ${date_added.slice(0, 10)}`}</span></li>`)}</ul></details>`}
<p class="alone">${link(paths.indicator(domain), 'What other lists say of it')}</p>`;
}

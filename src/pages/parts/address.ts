import type { z } from 'zod';
import { formatCount } from '../../engine/summary.ts';
import type { ipLookup } from '../../operations/ip/ip-lookup.ts';
import { html, type Html, type HtmlValue, join } from '../html.ts';
import { link, paths } from '../links.ts';
import { exploitedBadge, severityBadge } from './severity.ts';
import { known, stateNote } from './states.ts';

type IpRecord = z.output<typeof ipLookup.output>;
type Exposure = Pick<IpRecord, 'ports' | 'hostnames' | 'vulns' | 'total_vulns' | 'cpes' | 'tags'>;

/** Whose an address is: network, cloud, name. */
export function addressFacts(answer: IpRecord): Html {
  const { asn, asn_name, prefix, country, ptr, ptr_confirmed, cloud_provider, cloud_region, cloud_service } = answer;
  const cloud = [cloud_provider, cloud_service, cloud_region].filter((part) => part !== null).join(', ');
  return html`<dl class="facts">
<dt>Network</dt><dd>${asn === null ? known(null) : [link(paths.as(asn), `AS${asn}`), ' ', asn_name]}</dd>
<dt>Prefix</dt><dd>${known(prefix && html`<span class="id">${prefix}</span>`)}</dd>
<dt>Country</dt><dd>${known(country, 'no source that answered says it')}</dd>
<dt>Reverse name</dt><dd>${ptr === null ? known(null, 'it has none, or the DNS did not answer') : [link(paths.domain(ptr), ptr), confirmation(ptr_confirmed)]}</dd>
<dt>Cloud</dt><dd>${cloud === '' ? 'in no range that is loaded here' : cloud}</dd>
<dt>Data center</dt><dd>${yesOrNo(answer.is_datacenter)}</dd>
<dt>Tor exit</dt><dd>${yesOrNo(answer.tor_exit)}</dd>
</dl>`;
}

/** What scanners have seen at an address; the address itself is not contacted. */
export function exposureSection(exposure: Exposure): Html {
  const { ports, vulns, total_vulns, hostnames, cpes, tags } = exposure;
  if (ports === null) {
    return html`<section id="exposure"><h2>What it shows to the internet is not known</h2>${stateNote('partial', 'Open ports and CVEs', 'InternetDB did not answer. That is no sign that nothing is open.')}</section>`;
  }
  const exploited = vulns?.filter(({ in_kev }) => in_kev === true).length ?? 0;
  const heading =
    ports.length === 0
      ? 'Scanners have seen nothing open'
      : `${formatCount(ports.length, 'open port')}, ${formatCount(total_vulns ?? 0, 'CVE')} by the versions that it reports${exploited > 0 ? `, ${exploited} known to be exploited` : ''}`;
  return html`<section id="exposure"><h2>${heading}</h2>
<p class="note">By Shodan InternetDB, which scans about once a week. The address was not contacted now.</p>
<dl class="facts"><dt>Ports</dt><dd>${
    ports.length === 0
      ? 'none seen'
      : join(
          ports.map((port) => html`<span class="id">${port}</span>`),
          ', ',
        )
  }</dd>
${list('Names', hostnames, (name) => link(paths.domain(name), name))}${list('Products', cpes, (cpe) => html`<span class="id">${cpe}</span>`)}${list('Tags', tags, (tag) => html`<span class="tag">${tag}</span>`)}</dl>
${vulns !== null && vulns.length > 0 && cveTable(vulns, total_vulns ?? vulns.length)}</section>`;
}

function cveTable(vulns: NonNullable<Exposure['vulns']>, total: number): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="CVEs by the versions that it reports"><table data-rows>
<thead><tr><th scope="col">CVE</th><th scope="col">Severity</th><th scope="col">Exploited</th></tr></thead>
<tbody>${vulns.map(
    ({ cve_id, severity, cvss_v3, in_kev }) =>
      html`<tr><th scope="row">${link(paths.cve(cve_id), html`<span class="id">${cve_id}</span>`)}</th><td>${severityBadge(severity, cvss_v3)}</td><td>${in_kev === true ? exploitedBadge() : in_kev === null ? known(null, 'the list is not loaded') : 'not known to be'}</td></tr>`,
  )}</tbody></table></div>${total > vulns.length && html`<p class="note">The worst ${vulns.length} of ${total}.</p>`}`;
}

/** What the risk score is made of. */
export function riskSection({ risk_factors, risk_score }: Pick<IpRecord, 'risk_factors' | 'risk_score'>): Html {
  const heading =
    risk_score === null
      ? 'The risk is not known: sources are missing'
      : risk_factors.length === 0
        ? 'Nothing adds to its risk'
        : `Its risk is ${risk_score} of 100, because`;
  return html`<section id="risk"><h2>${heading}</h2>${risk_factors.length > 0 && html`<ul>${risk_factors.map(({ points, reason }) => html`<li><b>+${points}</b> ${reason}</li>`)}</ul>`}</section>`;
}

function list(name: string, values: readonly string[] | null, draw: (value: string) => Html): Html | null {
  return values === null || values.length === 0 ? null : html`<dt>${name}</dt><dd>${join(values.map(draw), ', ')}</dd>`;
}

function confirmation(confirmed: boolean | null): HtmlValue {
  if (confirmed === null) return ' (whether it leads back is not known)';
  return confirmed ? ' (leads back to it)' : ' (does not lead back to it: anyone can write such a name)';
}

function yesOrNo(value: boolean | null): HtmlValue {
  return value === null ? known(null) : value ? 'yes' : 'no';
}

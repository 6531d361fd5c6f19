import { ADDRESS_CLASS_PHRASES } from '../analysis/indicators/address-class-phrases.ts';
import { ownerAdvice, threatAdvice } from '../analysis/indicators/threat-advice.ts';
import { higherThreat } from '../analysis/indicators/threat-level.ts';
import { classifyIpAddress, parseIp } from '../analysis/ip-address.ts';
import { capitalize, formatCount } from '../engine/summary.ts';
import { iocLookup } from '../operations/indicators/ioc-lookup.ts';
import { ipLookup } from '../operations/ip/ip-lookup.ts';
import { html, type Html, join } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { definePage, type PageContent } from './page.ts';
import { addressFacts, exposureSection, riskSection } from './parts/address.ts';
import { exploitedBadge, severityBadge } from './parts/severity.ts';
import { errorNote } from './parts/states.ts';
import { agreementPhrase, listingsTable, threatBadge, threatListAges } from './parts/threat.ts';
import { watchLink } from './parts/watch-link.ts';
import { abusePhrase, REPORT_COST, threatReportPart } from './parts/threat-report-part.ts';

/** `/ip/:ip`: what an address is, who names it a threat, and what it shows; `?report=full` adds the threat report. */
export const ip = definePage({
  path: '/ip/:ip',
  question: ({ params }) => ({ operation: ipLookup, input: { ip: params.ip } }),
  async render({ params, query }, context) {
    const address = parseIp((params.ip ?? '').trim());
    const kind = address === null ? null : classifyIpAddress(address);
    if (address !== null && kind !== null && kind !== 'public') return specialAddressPage(address, kind);
    const [answer, threats, ages] = await Promise.all([
      context.ask(ipLookup, { ip: params.ip ?? '' }),
      context.tryAsk(iocLookup, { indicator: params.ip ?? '' }),
      threatListAges(context),
    ]);
    const { ip: shown, severity_label, risk_score, asn, asn_name, risk_factors } = answer;
    const threat = threats.answer;
    const owner = asn === null ? null : `AS${asn}${asn_name === null ? '' : ` ${asn_name}`}`;
    const cures = ownerAdvice(risk_factors);
    const exploited = answer.vulns?.filter(({ in_kev }) => in_kev === true).length ?? 0;
    // The look-up of the address knows reports of abuse, that of the indicator knows all lists.
    const reported = risk_factors.find(({ id }) => id === 'threat_sources')?.points ?? 0;
    const { level, score } = higherThreat(
      { level: threat?.threat_level ?? 'unknown', score: threat?.threat_score ?? null },
      reported,
    );
    const defenders = html`<p><strong>Do:</strong> ${threatAdvice('ip', level, threat?.known_benign ?? null)}</p>`;
    const owners = cures.length > 0 && html`<p><strong>If it is yours:</strong> ${cures.join('; ')}.</p>`;
    const full = query.get('report') === 'full';
    const verdict = threat === null ? 'threat not known' : agreementPhrase(threat.sources, ages);
    return {
      title: `${shown}: ${verdict}`,
      description: `${shown}: ${verdict}. Risk ${severity_label.toLowerCase()}${owner === null ? '' : `. ${owner}`}. ${threat?.threat_reasons[0] ?? ''}`,
      main: html`<h1><span class="id">${shown}</span></h1>
<ul class="verdict"><li>${threatBadge(level, score)}</li>${exploited > 0 && html`<li>${exploitedBadge()} ${formatCount(exploited, 'CVE')}</li>`}<li>risk: ${severityBadge(severity_label)}${risk_score !== null && ` ${risk_score} of 100`}</li>${threat?.known_benign && html`<li class="tag">${threat.known_benign.name}</li>`}${answer.tor_exit === true && html`<li class="tag">Tor exit</li>`}${owner !== null && html`<li>${link(paths.as(asn!), owner)}</li>`}${answer.country !== null && html`<li>${answer.country}</li>`}</ul>
<div class="do">${score !== null && score > 0 ? [defenders, owners] : [owners, defenders]}</div>
<section id="lists"><h2>${verdict}</h2>
${threat === null ? errorNote(threats.error, 'What lists say') : [reasonsList(threat.threat_reasons), listingsTable(threat.sources, ages, shown)]}
<p><b>AbuseIPDB</b>: ${abusePhrase(answer.reputation.abuseipdb)}.</p>
${!full && html`<p>${link(withQuery(paths.ip(shown), { report: 'full' }), 'Full threat report')} with reports of abuse and Shodan (${REPORT_COST} tokens).</p>`}</section>
<section id="owner"><h2>${capitalize(ownerHeading(answer))}</h2>${addressFacts(answer)}</section>
${exposureSection(answer)}
${riskSection(answer)}
<p>${watchLink({ indicator: shown })}</p>`,
      parts: full ? [threatReportPart(shown, context)] : [],
    };
  },
});

/** The arguments for a level, strongest first. */
function reasonsList(reasons: readonly string[]): Html | null {
  return reasons.length === 0 ? null : html`<ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
}

function ownerHeading({
  asn_name,
  cloud_provider,
  asn,
}: {
  asn_name: string | null;
  cloud_provider: string | null;
  asn: number | null;
}) {
  if (cloud_provider !== null) return `in the cloud of ${cloud_provider}`;
  if (asn_name !== null) return `in the network of ${asn_name}`;
  return asn === null ? 'whose it is is not known' : `in AS${asn}`;
}

function specialAddressPage(address: string, kind: keyof typeof ADDRESS_CLASS_PHRASES): PageContent {
  const { what, meaning } = ADDRESS_CLASS_PHRASES[kind];
  return {
    title: `${address} is ${what}`,
    description: `${address} is ${what}. ${meaning}`,
    main: html`<h1><span class="id">${address}</span> is ${what}</h1>
<div class="do"><p>${meaning}</p></div>
<p>Nobody outside can say more of it, so nothing was asked, and nothing was charged. Lists of threats are about public addresses: if one names a network with this address in it, it means forged senders.</p>
<p>${join([link('/lists', 'Check the public addresses of a log'), html`<a href="https://www.iana.org/assignments/iana-ipv4-special-registry" rel="noopener noreferrer">IANA: special-purpose addresses</a>`], ' · ')}</p>`,
  };
}

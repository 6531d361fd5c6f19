import { formatNumber } from '../engine/summary.ts';
import { asnLookup } from '../operations/ip/asn-lookup.ts';
import { html, type Html } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { definePage } from './page.ts';
import { known, stateNote } from './parts/states.ts';

/** With `?all=1`; all of the largest networks are in the JSON. */
const MAX_PREFIXES = 2000;

/** `/as/:asn`: who holds an autonomous system, and what it announces. */
export const as = definePage({
  path: '/as/:asn',
  question: ({ params, query }) => questionOf(params.asn, query),
  async render({ params, query }, context) {
    const { operation, input } = questionOf(params.asn, query);
    const answer = await context.ask(operation, input);
    const { asn, asn_name, announced, ipv4_count, ipv6_count, ipv4_prefixes, ipv6_prefixes } = answer;
    const name = asn === null ? answer.target : `AS${asn}`;
    const verdict =
      announced === null ? 'whether it is announced is not known' : announced ? 'announced now' : 'not announced now';
    const counts = `${countOf(ipv4_count)} prefixes of IPv4, ${countOf(ipv6_count)} of IPv6`;
    return {
      title: `${name}${asn_name === null ? '' : ` ${asn_name}`}`,
      description: `${name}${asn_name === null ? '' : `, ${asn_name}`}: ${verdict}; ${counts}.`,
      main: html`<h1>${name} ${asn_name !== null && html`<span>${asn_name}</span>`}</h1>
<ul class="verdict"><li>${verdict}</li><li>${counts}</li></ul>
${announced === false && stateNote('partial', 'No network announces it', 'Packets that claim to come from it are forged, or it was withdrawn just now. A list that names it is about its past.')}
<dl class="facts"><dt>Holder</dt><dd>${known(asn_name, 'RIPEstat names none')}</dd>${answer.resolved_ip !== null && html`<dt>Found by</dt><dd>${link(paths.ip(answer.resolved_ip), answer.resolved_ip)} in ${known(answer.prefix)}</dd>`}</dl>
${prefixSection('ipv4', 'IPv4', ipv4_count, ipv4_prefixes, params.asn ?? '')}
${prefixSection('ipv6', 'IPv6', ipv6_count, ipv6_prefixes, params.asn ?? '')}`,
    };
  },
});

function questionOf(asn: string | undefined, query: URLSearchParams) {
  const target = asn ?? '';
  return { operation: asnLookup, input: { target, ...(query.has('all') && { include_full_prefixes: true }) } };
}

function prefixSection(
  id: string,
  family: string,
  count: number | null,
  prefixes: readonly string[] | null,
  asn: string,
): Html {
  if (count === null || prefixes === null) {
    return html`<section id="${id}"><h2>${family}: not known</h2>${stateNote('partial', 'Prefixes', 'RIPEstat did not answer.')}</section>`;
  }
  const shown = prefixes.slice(0, MAX_PREFIXES);
  return html`<section id="${id}"><h2>${countOf(count)} ${family} ${count === 1 ? 'prefix' : 'prefixes'}</h2>
${shown.length > 0 && html`<ul class="prefixes">${shown.map((prefix) => html`<li class="id">${prefix}</li>`)}</ul>`}
${shown.length < count && html`<p>The first ${countOf(shown.length)}. ${prefixes.length < count && link(withQuery(paths.as(asn), { all: 1 }), `Show up to ${countOf(MAX_PREFIXES)}`)}</p>`}</section>`;
}

function countOf(count: number | null): string {
  return count === null ? 'not known how many' : formatNumber(count);
}

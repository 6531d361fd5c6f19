import type { z } from 'zod';
import type { dnsLookup } from '../../operations/domain/dns-lookup.ts';
import { html, join, type Html, type HtmlValue } from '../html.ts';
import { link, paths } from '../links.ts';
import { known } from '../parts/states.ts';

export type DnsAnswer = z.output<(typeof dnsLookup)['output']>;

const MAX_TEXTS = 20;
const UNANSWERED = 'the DNS did not answer';

/** Whether it has an address, so that a server can be there. Null: not known. */
export function hasAddress({ records: { a, aaaa } }: DnsAnswer): boolean | null {
  if ((a?.length ?? 0) + (aaaa?.length ?? 0) > 0) return true;
  return a === null || aaaa === null ? null : false;
}

/** DNS records of the name. */
export function drawDns({ records }: DnsAnswer): Html {
  const { a, aaaa, mx, ns, txt, cname, soa } = records;
  const addresses = a === null && aaaa === null ? null : [...(a ?? []), ...(aaaa ?? [])];
  return html`<h2>DNS records</h2>
<dl class="facts">
<dt>Addresses</dt><dd>${list(addresses, (ip) => link(paths.ip(ip), ip))}</dd>
${cname !== null && cname.length > 0 && html`<dt>Alias of</dt><dd>${join(cname, ' → ')}</dd>`}
<dt>Mail servers</dt><dd>${list(mx, ({ priority, exchange }) => html`${exchange || '.'} <span class="note">${priority}</span>`)}</dd>
<dt>Name servers</dt><dd>${list(ns, (name) => name)}</dd>
${soa !== null && html`<dt>Zone</dt><dd>${soa.mname}, serial ${soa.serial}</dd>`}
<dt>TXT</dt><dd>${txt === null ? known(null, UNANSWERED) : txt.length === 0 ? 'none' : html`<details><summary>${txt.length} ${txt.length === 1 ? 'record' : 'records'}</summary><ul>${txt.slice(0, MAX_TEXTS).map((text) => html`<li><code>${text}</code></li>`)}</ul>${txt.length > MAX_TEXTS && html`<p class="note">${txt.length - MAX_TEXTS} more are in the JSON.</p>`}</details>`}</dd>
</dl>`;
}

function list<Item>(items: readonly Item[] | null, draw: (item: Item) => HtmlValue): HtmlValue {
  if (items === null) return known(null, UNANSWERED);
  return items.length === 0 ? 'none' : join(items.map(draw), ', ');
}

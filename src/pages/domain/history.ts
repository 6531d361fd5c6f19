import type { z } from 'zod';
import type { PartVerdict } from '../../analysis/domain-verdict.ts';
import { formatCount } from '../../engine/summary.ts';
import type { subdomainEnum } from '../../operations/domain/subdomain-enum.ts';
import type { waybackLookup } from '../../operations/domain/wayback-lookup.ts';
import { html, type Html } from '../html.ts';
import { foreignLink, link, paths } from '../links.ts';
import { known, stateNote } from '../parts/states.ts';

export type HistoryAnswer = z.output<(typeof waybackLookup)['output']>;
export type NamesAnswer = z.output<(typeof subdomainEnum)['output']>;

const MAX_NAMES = 500;

/** Since when the site is archived, in a few words. */
export function judgeHistory({ status, first_seen }: HistoryAnswer): PartVerdict {
  if (status === 'unavailable') return { text: 'not known', tone: 'unknown' };
  return { text: first_seen === null ? 'never archived' : `archived since ${first_seen.slice(0, 10)}`, tone: 'none' };
}

/** Captures of the front page. */
export function drawHistory(answer: HistoryAnswer): Html {
  const { status, summary, snapshots, archive_url, warnings, years_online } = answer;
  if (status === 'unavailable')
    return html`<h2>History: not known</h2>${stateNote('partial', 'The archive did not answer', summary)}`;
  return html`<h2>${judgeHistory(answer).text.replace(/^./, (first) => first.toUpperCase())}</h2>
<p>${summary}</p>
${warnings.map((warning) => html`<p class="note">${warning}</p>`)}
<dl class="facts"><dt>Archived for</dt><dd>${years_online === null ? known(null, 'there is no capture') : `${years_online} years`}</dd><dt>All captures</dt><dd>${foreignLink(archive_url)}</dd></dl>
${snapshots !== null && snapshots.length > 0 && html`<h3 id="captures">A sample spread over time</h3><ul class="plain">${snapshots.map(({ timestamp, status_code, url }) => html`<li>${foreignLink(url, timestamp.slice(0, 10))} <span class="note">status ${status_code ?? 'not known'}</span></li>`)}</ul>`}`;
}

/** How many names are below the domain. */
export function judgeNames({ count }: NamesAnswer): PartVerdict {
  return count === null
    ? { text: 'not known', tone: 'unknown' }
    : { text: `${formatCount(count, 'name')} below it`, tone: 'none' };
}

/** All names below the domain, each with where it is from. */
export function drawNameList(answer: NamesAnswer): Html {
  const { subdomains, count, truncated, from_ct, from_dns, names_tried, wildcard } = answer;
  if (subdomains === null || count === null) {
    return html`<h2>Names: not known</h2>${stateNote('partial', 'Names: not known', 'Neither the certificate logs nor the DNS answered.')}`;
  }
  return html`<h2>${formatCount(count, 'name')} below it</h2>
<p>${from_ct === null ? 'The certificate logs did not answer' : `${from_ct} in the certificate logs`}, ${from_dns === null ? 'the DNS did not answer' : `${from_dns} of ${names_tried} usual names in the DNS`}.${wildcard === true && ' Any name below it resolves (a wildcard).'}${truncated && ` The first ${subdomains.length} are listed.`}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Names"><table data-rows><thead><tr><th scope="col">Name</th><th scope="col">Addresses</th><th scope="col">Known by</th></tr></thead><tbody>${subdomains
    .slice(0, MAX_NAMES)
    .map(
      ({ name, source, ips, wildcard: isWildcard }) =>
        html`<tr><th scope="row">${link(paths.domain(name), name)}</th><td>${ips === null ? 'does not resolve, or not known' : ips.map((ip, at) => html`${at > 0 && ', '}${link(paths.ip(ip), ip)}`)}${isWildcard && ' (wildcard)'}</td><td>${source === 'ct' ? 'certificate logs' : source === 'dns' ? 'DNS' : 'both'}</td></tr>`,
    )}</tbody></table></div>`;
}

import type { z } from 'zod';
import { defang } from '../analysis/indicators/defang.ts';
import type { Indicator } from '../analysis/indicators/parse-indicator.ts';
import { worseLevel } from '../analysis/indicators/threat-level.ts';
import { threatAdvice } from '../analysis/indicators/threat-advice.ts';
import { formatCount } from '../engine/summary.ts';
import { hashLookup } from '../operations/indicators/hash-lookup.ts';
import { iocLookup } from '../operations/indicators/ioc-lookup.ts';
import { phishingCheck } from '../operations/indicators/phishing-check.ts';
import { html, type Html } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import type { LatePart, Outcome, PageContent, PageContext } from './page.ts';
import { copyBlock } from './parts/evidence-foot.ts';
import { errorNote, known } from './parts/states.ts';
import { watchLink } from './parts/watch-link.ts';
import { agreementPhrase, listingsTable, threatBadge, threatListAges } from './parts/threat.ts';

type Phishing = z.output<typeof phishingCheck.output>;

const KIND_PHRASES = { ip: 'IP address', domain: 'domain', url: 'URL', hash: 'file hash' } as const;

/** What threat lists say of an indicator. It is shown defanged, and nothing links to it. */
export async function threatPage(kind: Indicator['type'], value: string, context: PageContext): Promise<PageContent> {
  const isWebUrl = kind === 'url' && !value.startsWith('ftp:');
  const [answer, ages, phishing] = await Promise.all([
    context.ask(iocLookup, { indicator: value }),
    threatListAges(context),
    isWebUrl ? context.tryAsk(phishingCheck, { url: value }) : null,
  ]);
  const ofHost = phishing?.answer ?? null;
  const level = ofHost === null ? answer.threat_level : worseLevel(answer.threat_level, ofHost.threat_level);
  const { threat_score, threat_reasons, known_benign, warning_lists, sources } = answer;
  const shown = defang(answer.indicator);
  const agreement = agreementPhrase(sources, ages);
  const verdict = ofHost?.is_malicious === true ? `${malwarePhrase(ofHost)}. ${agreement}` : agreement;
  return {
    title: `${shortened(shown)}: ${verdict}`,
    description: `${shortened(shown)}: ${verdict}. ${threat_reasons[0] ?? ofHost?.threat_reasons[0] ?? ''}`,
    main: html`<h1><span class="id">${shown}</span></h1>
<ul class="verdict"><li>${threatBadge(level, level === answer.threat_level ? threat_score : null)}</li><li>${KIND_PHRASES[kind]}</li>${known_benign !== null && html`<li class="tag">${known_benign.name}</li>`}</ul>
<div class="do"><p><strong>Do:</strong> ${threatAdvice(kind, level, known_benign)}</p></div>
${copyBlock('real', 'As it is', answer.indicator)}
<section id="lists"><h2>${agreement}</h2>
${threat_reasons.length > 0 && html`<ul>${threat_reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
${listingsTable(sources, ages, answer.indicator)}
${warningListing(warning_lists)}
<p class="note">${link(withQuery(paths.indicator(answer.indicator), { format: 'stix' }), 'As a STIX 2.1 bundle')}</p></section>
${phishing !== null && html`<section id="host">${phishingSection(phishing)}</section>`}
${elsewhere(kind, value)}
<p>${watchLink({ indicator: value })}</p>`,
    parts: partsOf(kind, value, context),
  };
}

/** Pages about the same thing. */
function elsewhere(kind: Indicator['type'], value: string): Html | null {
  if (kind === 'ip') return html`<p>${link(paths.ip(value), 'Owner, open ports and CVEs of the address')}</p>`;
  if (kind === 'domain')
    return html`<p>${link(paths.domain(value), 'Mail, web, certificates and registration of the domain')}</p>`;
  const host = kind === 'url' ? URL.parse(value)?.hostname : undefined;
  return host === undefined
    ? null
    : html`<p>${link(paths.indicator(host), html`What lists say of its host <span class="id">${defang(host)}</span>`)}</p>`;
}

function partsOf(kind: Indicator['type'], value: string, context: PageContext): LatePart[] {
  if (kind === 'hash') {
    return [
      {
        id: 'sample',
        waiting: html`<h2>The file</h2><p>MalwareBazaar is being asked.</p>`,
        content: context.tryAsk(hashLookup, { file_hash: value }).then(sampleSection),
      },
    ];
  }
  return [];
}

function sampleSection({ answer, error }: Outcome<z.output<typeof hashLookup.output>>): Html {
  if (answer === null) return html`<h2>The file</h2>${errorNote(error, 'The file')}`;
  if (answer.status !== 'listed') {
    const why = {
      not_listed: 'MalwareBazaar has no such sample. That does not make the file harmless.',
      not_configured: 'Not known: no key for MalwareBazaar is configured here.',
      unavailable: 'Not known: MalwareBazaar did not answer.',
    }[answer.status];
    return html`<h2>What file it is is not known</h2><p>${why}</p>`;
  }
  const { malware_family, file_name, file_type, file_size, first_seen, tags, sha256 } = answer;
  return html`<h2>A sample of ${malware_family ?? 'malware without a name'}</h2>
<dl class="facts"><dt>Name</dt><dd>${known(file_name)}</dd><dt>Type</dt><dd>${known(file_type)}</dd><dt>Size</dt><dd>${file_size === null ? known(null) : formatCount(file_size, 'byte')}</dd>
<dt>First seen</dt><dd>${known(first_seen?.slice(0, 10))}</dd><dt>Tags</dt><dd>${tags === null || tags.length === 0 ? 'none' : tags.join(', ')}</dd>
<dt>SHA-256</dt><dd>${known(sha256 && html`<span class="id">${sha256}</span>`)}</dd></dl>`;
}

const LISTING_TEXTS = {
  listed: 'listed',
  not_listed: 'not listed',
  not_configured: 'not known: no key for URLhaus is configured here',
  unavailable: 'not known: URLhaus did not answer',
} as const;

/** What URLhaus says of a URL and its host, as a heading. */
function malwarePhrase({ is_malicious, is_stale, urlhaus_url }: Phishing): string {
  if (is_malicious === null) return 'Whether it delivers malware is not known';
  if (!is_malicious)
    return is_stale === true ? 'Its host delivered malware once' : 'URLhaus does not know it to deliver malware';
  if (urlhaus_url.status !== 'listed') return 'Its host delivers malware';
  return is_stale === true ? 'It delivered malware, and is offline now' : 'It delivers malware';
}

function phishingSection({ answer, error }: Outcome<Phishing>): Html {
  if (answer === null) return html`<h2>The URL and its host</h2>${errorNote(error, 'URLhaus')}`;
  const { urlhaus_host, urlhaus_url } = answer;
  const online = urlhaus_url.online === true ? ', online now' : urlhaus_url.online === false ? ', offline now' : '';
  return html`<h2>${malwarePhrase(answer)}</h2>
<dl class="facts"><dt>This URL</dt><dd>${LISTING_TEXTS[urlhaus_url.status]}${urlhaus_url.threat !== null && `: ${urlhaus_url.threat.replaceAll('_', ' ')}`}${online}${urlhaus_url.tags !== null && urlhaus_url.tags.length > 0 && ` (${urlhaus_url.tags.join(', ')})`}</dd>
<dt>Its host</dt><dd>${LISTING_TEXTS[urlhaus_host.status]}${urlhaus_host.status === 'listed' && urlhaus_host.url_count !== null && `: ${formatCount(urlhaus_host.url_count, 'URL')}, ${urlhaus_host.urls_online} online now`}</dd></dl>
<p class="note">The URL was not opened.</p>`;
}

/** The warning lists that it is in; nothing where it is in none. */
function warningListing(warnings: z.output<typeof iocLookup.output>['warning_lists']): Html | null {
  if (warnings === null) return html`<p>Warning lists: ${known(null, 'they have not been loaded here')}</p>`;
  if (warnings.length === 0) return null;
  return html`<details><summary>In ${formatCount(warnings.length, 'warning list')}: what is said of it counts less</summary><ul>${warnings.map(
    ({ name, category, as_of, matched }) =>
      html`<li>${name}${as_of !== null && ` (${as_of})`}: ${category === 'known' ? 'many share it, or it changes hands' : 'often reported by mistake'} <span class="address">${defang(matched)}</span></li>`,
  )}</ul></details>`;
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

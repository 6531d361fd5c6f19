import { formatCount } from '../../engine/summary.ts';
import { html, type Html } from '../html.ts';
import { foreignLink, link, paths, withQuery } from '../links.ts';
import type { Cve } from './answers.ts';

type Reference = NonNullable<Cve['references_full']>[number];

const MAX_REFERENCES = 20;
/** Of the page that shows all references. */
const PAGE_REFERENCES = 300;
const MAX_TAGS = 4;

/** Kinds in the order of use to one who has to act; a reference is of the first kind that one of its tags names. */
const KINDS: readonly (readonly [tag: string, heading: string])[] = [
  ['patch', 'Fixes'],
  ['vendor advisory', 'Advisories of the maker'],
  ['release notes', 'Release notes'],
  ['mitigation', 'Mitigations'],
  ['exploit', 'Exploits'],
  ['third party advisory', 'Advisories of others'],
  ['us government resource', 'Authorities'],
  ['mailing list', 'Mailing lists'],
  ['technical description', 'Descriptions'],
  ['issue tracking', 'Issues'],
];
const OTHER = 'Others';

/** References by kind; `limit` to the first ones, in the order of the operation: fix and maker before third parties. */
export function referencesSection(cve: Cve): Html {
  const references = cve.references_full ?? [];
  const all = withQuery(paths.cve(cve.cve_id), { all: 'references' });
  return html`<h2>${references.length === 0 ? 'No references are known' : formatCount(references.length, 'reference')}</h2>
${list(references.slice(0, MAX_REFERENCES))}
${references.length > MAX_REFERENCES && html`<p>${link(all, `All ${references.length} references`)}</p>`}`;
}

/** All references. */
export function allReferences(cve: Cve): Html {
  const references = cve.references_full ?? [];
  const hidden = references.length - PAGE_REFERENCES;
  return html`<p>${formatCount(references.length, 'reference')}. ${link(paths.cve(cve.cve_id), `Back to ${cve.cve_id}`)}</p>
${list(references.slice(0, PAGE_REFERENCES), 'h2')}${hidden > 0 && html`<p>${hidden} more are in the JSON.</p>`}`;
}

function list(references: readonly Reference[], heading: 'h2' | 'h3' = 'h3'): Html {
  const byKind = Map.groupBy(references, kindOf);
  return html`${[...KINDS.map(([, name]) => name), OTHER].flatMap((kind) => {
    const of = byKind.get(kind);
    if (of === undefined) return [];
    const items = html`<ul>${of.map(({ url, tags, source }) => html`<li>${foreignLink(url)} <span class="note">${[...tags.slice(0, MAX_TAGS), source].filter((text) => text !== null).join(', ')}</span></li>`)}</ul>`;
    return [heading === 'h2' ? html`<h2>${kind}</h2>${items}` : html`<h3>${kind}</h3>${items}`];
  })}`;
}

/** `Vendor Advisory` in the NVD is `vendor-advisory` in CVE records. */
function kindOf({ tags }: Reference): string {
  const named = tags.map((tag) => tag.toLowerCase().replaceAll('-', ' '));
  return KINDS.find(([tag]) => named.includes(tag))?.[1] ?? OTHER;
}

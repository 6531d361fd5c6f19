import { formatCount } from '../../engine/summary.ts';
import { groupReferences } from '../../operations/cve/lib/reference-kinds.ts';
import { html, type Html } from '../html.ts';
import { foreignLink, link, paths, withQuery } from '../links.ts';
import type { Cve } from './answers.ts';

type Reference = NonNullable<Cve['references_full']>[number];

const MAX_REFERENCES = 20;
/** Of the page that shows all references. */
const PAGE_REFERENCES = 300;
const MAX_TAGS = 4;

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
  return html`${groupReferences(references).map(([kind, of]) => {
    const items = html`<ul>${of.map(({ url, tags, source }) => html`<li>${foreignLink(url)} <span class="note">${[...tags.slice(0, MAX_TAGS), source].filter((text) => text !== null).join(', ')}</span></li>`)}</ul>`;
    return heading === 'h2' ? html`<h2>${kind}</h2>${items}` : html`<h3>${kind}</h3>${items}`;
  })}`;
}

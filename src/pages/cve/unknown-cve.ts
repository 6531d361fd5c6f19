import { html } from '../html.ts';
import { foreignLink, link, withQuery } from '../links.ts';
import type { PageContent } from '../page.ts';

/** The page of an id that no source here knows: what that can mean, and where to look next. */
export function unknownCve(cveId: string): PageContent {
  const year = cveId.split('-')[1]!;
  return {
    status: 404,
    title: `${cveId}: no source here knows it`,
    description: `${cveId} is in none of the sources that are loaded here. That does not mean that there is no such vulnerability.`,
    main: html`<h1><span class="id">${cveId}</span>: no source here knows it</h1>
<p>The id is well-formed, but it is in none of the sources that are loaded here. That is no sign that nothing is affected. It can be:</p>
<ul>
<li>reserved: its facts are not published yet, while advisories may already name it;</li>
<li>rejected: withdrawn by who assigned it, and not kept by these sources;</li>
<li>newer than the last load of the sources: ${link('/status', 'how old they are')};</li>
<li>never assigned, or a typing mistake.</li>
</ul>
<dl class="facts">
<dt>At the CVE Program</dt><dd>${foreignLink(`https://www.cve.org/CVERecord?id=${cveId}`)}</dd>
<dt>Here</dt><dd>${link(withQuery('/search', { q: cveId }), 'search for the id')}, ${link(withQuery('/search', { published_after: `${year}-01-01`, published_before: `${year}-12-31` }), `CVEs published in ${year}`)}</dd>
</dl>`,
  };
}

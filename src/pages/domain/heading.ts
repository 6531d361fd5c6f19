import { domainToUnicode } from 'node:url';
import { registrableDomain } from '../../analysis/domain-name.ts';
import { html, type Html } from '../html.ts';
import { link, paths } from '../links.ts';

/** The name, the form in which people write it where that differs, and the domain that it is part of. */
export function domainHeading(domain: string): Html {
  const written = domainToUnicode(domain);
  const registrable = registrableDomain(domain);
  return html`<h1>${domain}</h1>
${written !== '' && written !== domain && html`<p class="note">Written <bdi>${written}</bdi>. The form above is what the DNS has: letters of another script can look like these.</p>`}
${registrable !== null && registrable !== domain && html`<p class="note">A name below ${link(paths.domain(registrable), registrable)}.</p>`}`;
}

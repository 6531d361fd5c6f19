import { nearestDomains, subjectOfText } from '../../analysis/nearest-domains.ts';
import type { ApiError } from '../../errors.ts';
import { html, type Html } from '../html.ts';
import { link, paths } from '../links.ts';
import type { PageContent } from '../page.ts';

/** The page of a name that does not exist: what may have been meant, and what is remembered of it. */
export function missingDomain(domain: string, error: ApiError): PageContent {
  const nearest = nearestDomains(domain);
  return {
    status: 404,
    title: `${domain} does not exist`,
    description: error.message,
    main: html`<h1>${domain} does not exist</h1>
<p>${error.message} Nothing answers under this name, and no mail can be sent to it.</p>
${nearest.length > 0 && html`<p>Was this meant?</p><ul>${nearest.map((name) => html`<li>${link(paths.domain(name), name)}</li>`)}</ul>`}
<p>Threat lists remember names that are gone: ${link(paths.indicator(domain), 'what they say of it')}.</p>
${domainForm('')}`,
  };
}

/** The page of a text that is no domain name: what is accepted, and where the text belongs. */
export function notADomain(text: string, error: ApiError): PageContent {
  const subject = subjectOfText(text);
  return {
    status: 400,
    title: 'Not a domain name',
    description: error.message,
    main: html`<h1>That is not a domain name</h1>
<ul class="plain">${(error.issues ?? [{ msg: error.message }]).map(({ msg }) => html`<li>${msg}</li>`)}</ul>
${subject !== null && html`<p>Was this meant? ${subject.kind === 'ip' ? link(paths.ip(subject.value), `the address ${subject.value}`) : link(paths.domain(subject.value), subject.value)}</p>`}
${domainForm('')}`,
  };
}

function domainForm(value: string): Html {
  return html`<form class="form" action="/"><label>Domain <input name="q" value="${value}" placeholder="example.com" autocomplete="off" spellcheck="false" maxlength="255"></label><button>Look up</button></form>`;
}

import type { ApiError } from '../errors.ts';
import { html } from './html.ts';
import type { PageContent, PageRequest } from './page.ts';

/** The page of an error: what was wrong, what would be right, and the nearest thing. */
export function errorPage(error: ApiError, _request: PageRequest, requestId: string): PageContent {
  const heading = error.status === 404 ? 'Nothing here' : 'That did not work';
  return {
    title: heading,
    description: error.message,
    main: html`<h1>${heading}</h1>
<p>${error.message}</p>
${error.issues !== null && html`<ul>${error.issues.map(({ loc, msg }) => html`<li><code>${loc.slice(1).join('.')}</code> ${msg}</li>`)}</ul>`}
<p class="note">Request ${requestId}, ${error.code}</p>`,
  };
}

import { ERRORS } from '../errors.ts';
import { html } from './html.ts';
import { link } from './links.ts';
import { definePage } from './page.ts';
import { inline } from './parts/prose.ts';

/** `/docs/errors`: every code that an error may have; bodies of errors link to its row. */
export const docsErrors = definePage({
  path: '/docs/errors',
  render() {
    const codes = Object.entries(ERRORS);
    return {
      title: 'Errors of the API',
      description: `The ${codes.length} codes of errors, with their status, and whether to try again.`,
      main: html`<h1>${codes.length} errors, each with a code that stays</h1>
<p>Every error is <code>{"error": {"code", "message"}, "message", "request_id"}</code>. Status 422 adds <code>detail</code>, a row for each invalid field. The message says what was wrong and what would be right; the request id finds the call in the log of the service.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Errors"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Try again</th><th scope="col">Meaning</th></tr></thead>
<tbody>${codes.map(
        ([code, { status, retry, means }]) =>
          html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${retry ? 'yes, later' : 'no'}</td><td>${inline(means)}</td></tr>
`,
      )}</tbody></table></div>
<p>${link('/docs', 'All operations')}</p>`,
    };
  },
});

/** `/docs/privacy`: where it was. */
export const docsPrivacy = definePage({
  path: '/docs/privacy',
  render: () => ({ redirectTo: '/privacy' }),
});

import { NOT_STORED } from '../operations/service/privacy-my-data.ts';
import { KEPT_DAYS } from '../engine/watch-book.ts';
import { html } from './html.ts';
import { link } from './links.ts';
import { definePage } from './page.ts';

/** `/privacy`: what is stored about callers and what is not, from the list that the API answers with. */
export const privacy = definePage({
  path: '/privacy',
  render() {
    return {
      title: 'What you ask is not stored, what you watch is',
      description: 'What this service stores about who asks, and what it does not.',
      main: html`<h1>What you ask is not stored, what you watch is</h1>
<p>No name, target or text that you look up is kept or written to a log, but for what you ask to be ${link('/watches', 'watched')}. ${link('/key', 'What is stored about you now')}.</p>
<h2 id="stored">What is stored</h2>
<ul>
<li>How often a caller used each endpoint in each minute, for 24 hours. The caller is stored as an HMAC-SHA-256 of the address (IPv6: of its /64 prefix), of the key's id, or of the issuer and subject of an access token, computed with a secret of this installation; the endpoint is stored as a path template, without the query or target. Requests with <code>DNT: 1</code> or <code>Sec-GPC: 1</code> are not stored.</li>
<li>How many tokens of the quota a caller has used, under the same HMAC, until the hour ends.</li>
<li>For each API key: its id, SHA-256, order id, times of creation, expiry, last use and revocation.</li>
<li>For each watch: what is watched, as its owner gave it (of a lockfile the names and versions of its packages), conditions, and where it delivers; its events and deliveries for ${KEPT_DAYS} days. Its owner is stored as the id of the key, or as an HMAC. Webhook URLs, mail addresses and secrets are encrypted. Deleting the watch deletes all of it, and nothing of it is logged.</li>
</ul>
<h2 id="not-stored">What is not stored</h2>
<ul>${NOT_STORED.map((line) => html`<li>${line}</li>`)}</ul>
<h2 id="browser">What stays in your browser</h2>
<ul>
<li>No cookie, unless you ${link('/key', 'sign in with a key')}: then one that holds the key, which no script can read and which is sent to these pages alone. Signing out removes it.</li>
<li>The theme that you chose, and the days of your last two visits to the start page. The day is sent only when you follow the link “What was added since” there.</li>
</ul>
<p>Pages load nothing from other hosts. To answer, a source or your target may be asked: it sees this service, not you.</p>
<p>The same for programs: <code>GET /v1/privacy/my-data</code> gives every stored row about the caller.</p>`,
    };
  },
});

import { clearedKeyCookie, keyCookie, keyCookieName } from '../access/key-cookie.ts';
import { ApiError } from '../errors.ts';
import { formatAge, formatCount } from '../engine/summary.ts';
import { privacyMyData } from '../operations/service/privacy-my-data.ts';
import { usage } from '../operations/service/usage.ts';
import type { z } from 'zod';
import { html, type Html } from './html.ts';
import { link } from './links.ts';
import { definePage, type PageContent, type PageContext, type PageRequest } from './page.ts';
import { known, stateNote } from './parts/states.ts';
import { formText } from './read-form.ts';

type MyData = z.output<(typeof privacyMyData)['output']>;
type Usage = z.output<(typeof usage)['output']>;

/** `/key`: the reader's quota and usage, that of a key which is typed in, and signing in with one. */
export const key = definePage({
  path: '/key',
  methods: ['GET', 'POST'],
  async render(request, context) {
    const { form, origin } = request;
    if (form === null) return ownPage(request, context, null);
    if ((await formText(form, 'do')) === 'sign-out') return toKeyPage(clearedKeyCookie(origin));
    const given = (await formText(form, 'key')).trim();
    try {
      const used = await context.askWithKey(given, usage, {});
      const cookie = form.has('stay') ? keyCookie(given, origin) : null;
      if (cookie !== null) return toKeyPage(cookie);
      return keyPage(used, form.has('stay'));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      return { ...(await ownPage(request, context, error)), status: error.status };
    }
  },
});

function toKeyPage(cookie: string | null): PageContent {
  const headers = cookie === null ? {} : { 'set-cookie': cookie };
  return { redirectTo: '/key', headers };
}

async function ownPage({ origin }: PageRequest, context: PageContext, fault: ApiError | null): Promise<PageContent> {
  const mine = await context.ask(privacyMyData, {});
  const record = mine.api_key_record;
  const heading = record === null ? 'You ask without a key' : 'You are signed in with a key';
  return {
    title: heading,
    description: 'Quota and usage of who asks, and of a key.',
    main: html`<h1>${heading}</h1>
${quotaLine(mine.rate_limit.limit, mine.rate_limit.remaining, mine.rate_limit.reset_seconds)}
${record !== null && keyFacts(record)}
${endpointTable(Object.entries(mine.usage_last_24h.by_endpoint).map(([endpoint, count]) => ({ endpoint, count })))}
${record === null ? keyForm(origin, fault) : signOutForm()}
<h2 id="more">More questions an hour</h2>
<p>Who runs this service issues keys: <code>sextant keys issue --order NAME</code>. On an installation of your own the limit is yours to set: <code>SEXTANT_QUOTA_KEYLESS=0</code> lifts it. ${link('/privacy', 'What is stored about you')}.</p>`,
  };
}

function keyPage(used: Usage, wantedToStay: boolean): PageContent {
  const heading = `This key asked ${formatCount(used.last_24h, 'question')} within 24 hours`;
  return {
    title: 'Usage of a key',
    description: 'Quota and usage of a key.',
    main: html`<h1>${heading}</h1>
${wantedToStay && stateNote('refused', 'You were not signed in', 'This page came without TLS: on the way back, others could read the key. Open it by https.')}
${quotaLine(used.hourly_limit, used.hourly_remaining, used.hourly_reset_seconds)}
<p>${formatCount(used.last_1h, 'question')} of them within the last hour.</p>
${endpointTable(used.top_endpoints)}
<p>${link('/key', 'Another key')}</p>`,
  };
}

function quotaLine(limit: number | null, remaining: number | null, reset: number | null): Html {
  if (limit === null) return html`<p class="do"><strong>No limit.</strong></p>`;
  const again = reset === null || remaining === limit ? '' : ` All are free again in ${formatAge(reset)}.`;
  return html`<p class="do"><strong>${remaining ?? known(null)} of ${limit} tokens are left in this hour.</strong>${again} Most questions cost one; the reports of a domain cost more.</p>`;
}

function keyFacts(record: NonNullable<MyData['api_key_record']>): Html {
  return html`<dl class="facts"><dt>Key</dt><dd><code>${record.id}</code></dd><dt>Expires</dt><dd>${day(record.expires_at)}</dd><dt>Last used</dt><dd>${record.last_used_at === null ? 'not yet' : day(record.last_used_at)}</dd></dl>`;
}

function day(time: string): Html {
  return html`<time datetime="${time}">${time.slice(0, 10)}</time>`;
}

function endpointTable(rows: readonly { endpoint: string; count: number }[]): Html {
  if (rows.length === 0)
    return html`<p>Nothing was asked within 24 hours, or nothing was counted: browsers can say that they do not want it.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Use within 24 hours"><table class="narrow"><thead><tr><th scope="col">Asked within 24 hours</th><th scope="col" class="number">Times</th></tr></thead>
<tbody>${rows.map(({ endpoint, count }) => html`<tr><th scope="row"><code>${endpoint}</code></th><td class="number">${count}</td></tr>`)}</tbody></table></div>`;
}

function keyForm(origin: string, fault: ApiError | null): Html {
  return html`<h2 id="usage">Usage of a key</h2>
${fault !== null && html`<p id="key-fault" class="fault" role="alert">${fault.baseMessage}</p>`}
<form class="form" method="post" action="/key"><label>API key <input name="key" type="password" autocomplete="off" required maxlength="200"${fault !== null && html` aria-invalid="true" aria-describedby="key-fault"`}></label>
${keyCookieName(origin) !== null && html`<label class="check"><span><input name="stay" type="checkbox" value="1"> stay signed in: a cookie in this browser, for these pages alone</span></label>`}
<button>Show</button></form>`;
}

function signOutForm(): Html {
  return html`<form class="form" method="post" action="/key"><input type="hidden" name="do" value="sign-out"><button>Sign out</button> <span class="note">removes the cookie from this browser</span></form>`;
}

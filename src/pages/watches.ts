import type { z } from 'zod';
import { formatCount } from '../engine/summary.ts';
import { ApiError } from '../errors.ts';
import { watchCreate } from '../operations/watches/watch-create.ts';
import { watchList } from '../operations/watches/watch-list.ts';
import { html, type Html } from './html.ts';
import { link, paths } from './links.ts';
import { definePage, type PageContent, type PageContext, type PageRequest } from './page.ts';
import { stateNote } from './parts/states.ts';
import { readWatchForm, toWatchInput, watchForm, type WatchFormValues } from './watch/watch-form.ts';
import { moment, secretsNote, watchState } from './watch/watch-parts.ts';

type Watches = z.output<typeof watchList.output>;

const NOT_KEPT = { 'cache-control': 'no-store' } as const;
const MAX_ROWS = 200;

/** `/watches`: what the reader watches, and the form to watch more; other pages fill it in by the address. */
export const watches = definePage({
  path: '/watches',
  methods: ['GET', 'POST'],
  question: () => ({ operation: watchList, input: {} }),
  async render(request, context) {
    try {
      return await watchesPage(request, context);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'api_key_required') return withoutKeyPage(error);
      throw error;
    }
  },
});

async function watchesPage({ form, query }: PageRequest, context: PageContext): Promise<PageContent> {
  const listed = await context.ask(watchList, { limit: MAX_ROWS });
  if (form === null) return listPage(listed, readWatchForm(query), null);
  if (!form.has('do')) return listPage(listed, readWatchForm(form), null);
  try {
    const input = await toWatchInput(form, context.tryAskCatalog);
    const { watch, secrets, gaps } = await context.ask(watchCreate, input as z.input<typeof watchCreate.input>);
    if (secrets.length === 0 && gaps.length === 0) return { redirectTo: paths.watch(watch.id) };
    return {
      title: `Watched: ${watch.label}`,
      description: 'It is watched.',
      headers: NOT_KEPT,
      hidesInput: true,
      main: html`<h1>Watched: ${watch.label}</h1>
${secretsNote(secrets)}
${gaps.map((gap) => stateNote('partial', 'Not all of it may be told', gap))}
<p>${link(paths.watch(watch.id), 'Events, deliveries and settings of this watch')}</p>`,
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) throw error;
    return { ...listPage(listed, readWatchForm(form), error), status: error.status };
  }
}

function listPage(listed: Watches, values: WatchFormValues, fault: ApiError | null) {
  const heading = listed.total === 0 ? 'Nothing is watched yet' : formatCount(listed.total, 'watch');
  return {
    title: heading,
    description: listed.summary,
    headers: NOT_KEPT,
    hidesInput: fault !== null,
    main: html`<h1>${heading}</h1>
${listed.total === 0 ? html`<p>Watch a CVE, a product, a package, a lockfile, a domain or an indicator, and be told what changes about it.</p>` : watchTable(listed)}
${watchForm(values, fault)}`,
  };
}

function watchTable({ results, total }: Watches): Html {
  return html`${total > results.length && html`<p class="note">The newest ${results.length} of ${total}.</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Watches"><table><thead><tr><th scope="col">Watched</th><th scope="col">State</th><th scope="col">Last told</th><th scope="col">To</th></tr></thead>
<tbody>${results.map(
    (watch) =>
      html`<tr><th scope="row">${link(paths.watch(watch.id), watch.label)}</th><td>${watchState(watch)}</td><td>${watch.last_event_at === null ? 'nothing yet' : moment(watch.last_event_at)}</td><td>${watch.channels.length === 0 ? 'read here' : watch.channels.map(({ to, url }) => to ?? URL.parse(url!)?.host ?? '').join(', ')}</td></tr>
`,
  )}</tbody></table></div>`;
}

/** Watches belong to somebody who is known again. */
export function withoutKeyPage(error: ApiError): PageContent {
  return {
    status: error.status,
    title: 'Watches need a key',
    description: error.message,
    main: html`<h1>Watches need a key</h1>
${stateNote('refused', 'You are not signed in', html`A watch is kept for who made it, and found again by a key: ${link('/key', 'sign in with yours')}. On an installation of your own that listens on this machine alone, none is needed.`)}`,
  };
}

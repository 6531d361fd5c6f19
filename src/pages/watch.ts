import type { z } from 'zod';
import { ApiError } from '../errors.ts';
import { watchDelete } from '../operations/watches/watch-delete.ts';
import { watchDeliveries } from '../operations/watches/watch-deliveries.ts';
import { watchEvents } from '../operations/watches/watch-events.ts';
import { watchLookup } from '../operations/watches/watch-lookup.ts';
import { watchReplay } from '../operations/watches/watch-replay.ts';
import { watchTest } from '../operations/watches/watch-test.ts';
import { watchUpdate } from '../operations/watches/watch-update.ts';
import { html, type Html } from './html.ts';
import { link, paths } from './links.ts';
import { definePage, type PageContent, type PageContext } from './page.ts';
import { stateNote } from './parts/states.ts';
import { formText } from './read-form.ts';
import { deliveriesSection, eventsSection, moment, secretsNote, watchState } from './watch/watch-parts.ts';
import { withoutKeyPage } from './watches.ts';

type Watch = z.output<typeof watchLookup.output>['watch'];
/** What an action did: a note above the page, or a way to another page. */
type Done = { note: Html | null } | { redirectTo: string };

const NOT_KEPT = { 'cache-control': 'no-store' } as const;
const EVENTS = 50;
const DELIVERIES = 20;

/** `/watches/:id`: one watch with what it told, its deliveries, and forms to pause, mute, test, replay and delete it. */
export const watch = definePage({
  path: '/watches/:id',
  methods: ['GET', 'POST'],
  question: ({ params }) => ({ operation: watchLookup, input: { id: params['id'] } }),
  async render({ params, form }, context) {
    const id = params['id']!;
    try {
      if (form === null) return await watchPage(id, context, null, null);
      const done = await tryAct(id, form, context);
      if (done instanceof ApiError) return { ...(await watchPage(id, context, null, done)), status: done.status };
      return 'redirectTo' in done ? done : await watchPage(id, context, done.note, null);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'api_key_required') return withoutKeyPage(error);
      throw error;
    }
  },
});

/** Does what a form asks for; an error of the input is shown above the page. */
async function tryAct(id: string, form: FormData, context: PageContext): Promise<Done | ApiError> {
  try {
    return await act(id, form, context);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return error;
    throw error;
  }
}

async function act(id: string, form: FormData, context: PageContext): Promise<Done> {
  const again = { redirectTo: paths.watch(id) };
  switch (await formText(form, 'do')) {
    case 'pause':
      await context.ask(watchUpdate, { id, paused: true });
      return again;
    case 'resume':
      await context.ask(watchUpdate, { id, paused: false, mute: null });
      return again;
    case 'mute': {
      const [until, reason] = await Promise.all([formText(form, 'until'), formText(form, 'reason')]);
      await context.ask(watchUpdate, { id, mute: { until, reason } });
      return again;
    }
    case 'rotate': {
      const { secrets } = await context.ask(watchUpdate, { id, rotate_secrets: [await formText(form, 'channel')] });
      return { note: secretsNote(secrets) };
    }
    case 'test':
      return { note: stateNote('empty', 'Test', (await context.ask(watchTest, { id })).summary) };
    case 'replay':
      return {
        note: stateNote(
          'empty',
          'Replay',
          (await context.ask(watchReplay, { id, since: await formText(form, 'since') })).summary,
        ),
      };
    case 'delete':
      await context.ask(watchDelete, { id });
      return { redirectTo: '/watches' };
    default:
      throw new ApiError('invalid_argument', 'The form does not say what to do.');
  }
}

async function watchPage(id: string, context: PageContext, note: Html | null, fault: ApiError | null) {
  const { watch: shown, summary } = await context.ask(watchLookup, { id });
  const [{ events }, { results, total }] = await Promise.all([
    context.ask(watchEvents, { id, since: 'latest', limit: EVENTS }),
    context.ask(watchDeliveries, { id, limit: DELIVERIES }),
  ]);
  const title = shown.label;
  return {
    title,
    description: summary,
    headers: NOT_KEPT,
    main: html`<h1>${title}</h1>
<ul class="verdict"><li>${watchState(shown)}</li>${shown.last_event_at !== null && html`<li>last told ${moment(shown.last_event_at)}</li>`}${shown.next_examination_at !== null && html`<li>examined next ${moment(shown.next_examination_at)}</li>`}</ul>
${fault !== null && html`<p class="fault" role="alert">${fault.baseMessage}</p>`}
${note}
<p>${summary}</p>
${eventsSection(events, id)}
${deliveriesSection(results, total)}
${settings(shown)}
<p>${link('/watches', 'All watches')}</p>`,
  } satisfies PageContent;
}

function settings(watch: Watch): Html {
  const action = paths.watch(watch.id);
  const button = (what: string, text: string, fields: Html | null = null): Html =>
    html`<form class="form" method="post" action="${action}">${fields}<button name="do" value="${what}">${text}</button></form>`;
  const signed = watch.channels.filter(({ format }) => format === 'standard');
  return html`<section id="settings"><h2>Settings</h2>
${watch.state === 'active' ? button('pause', 'Pause') : button('resume', 'Resume')}
${button('mute', 'Mute', html`<label>Until <input type="date" name="until" required></label> <label>because <input name="reason" required maxlength="300" size="30"></label> `)}
${watch.channels.length > 0 && button('test', 'Send a test message')}
${button('replay', 'Replay', html`<label>What changed since <input type="date" name="since" required></label> `)}
${signed.map(({ id, url }) => button('rotate', `New secret for ${URL.parse(url!)?.host ?? id}`, html`<input type="hidden" name="channel" value="${id}">`))}
${button('delete', 'Delete, with all that is kept of it')}
<p class="note">Paused: changes are not matched, and a replay brings them. Muted: they are shown here and not sent. What is watched, and conditions, are changed by <code>PATCH /v1/watches/${watch.id}</code> (${link('/docs/watch_update', 'how')}).</p></section>`;
}

import { assetPath } from './assets.ts';
import { html, type Html } from './html.ts';
import type { LatePart } from './page.ts';

/**
 * The frame of parts that come later: a shadow tree with a slot for each, filled by the sections that follow it, whichever comes first.
 * The browser puts them in their places without a script (declarative shadow DOM); older ones show them in order of arrival.
 */
export async function* renderLateParts(parts: readonly LatePart[]): AsyncGenerator<Html> {
  yield html`<div class="late"><template shadowrootmode="open"><link rel="stylesheet" href="${assetPath('style')}">${parts.map(
    ({ id, waiting }) => html`<slot name="${id}"><section class="waiting" aria-busy="true">${waiting}</section></slot>`,
  )}</template>
`;
  const pending = new Map(parts.map(({ id, content }) => [id, content.then((markup) => ({ id, markup }))] as const));
  while (pending.size > 0) {
    const { id, markup } = await Promise.race(pending.values());
    pending.delete(id);
    yield html`<section id="${id}" slot="${id}">${markup}</section>
`;
  }
  yield html`</div>`;
}

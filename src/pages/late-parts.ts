import { assetPath } from './assets.ts';
import { html, type Html } from './html.ts';
import type { LatePart } from './page.ts';

/**
 * The frame of parts that come later: a shadow tree with a slot for each, filled by the sections that follow it, whichever comes first.
 * The browser puts them in their places without a script (declarative shadow DOM); older ones show them in order of arrival.
 */
export async function* renderLateParts(parts: readonly LatePart[]): AsyncGenerator<Html> {
  yield html`<div class="late"><template shadowrootmode="open"><link rel="stylesheet" href="${assetPath('style')}">${inBoxes(
    parts,
  ).map(([box, members]) =>
    box === null ? members.map(renderSlot) : html`<div class="${box}">${members.map(renderSlot)}</div>`,
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

/** A part that is already there, below those that come later. */
export function readyPart(id: string, markup: Html): LatePart {
  return { id, waiting: html``, content: Promise.resolve(markup) };
}

function renderSlot({ id, waiting }: LatePart): Html {
  return html`<slot name="${id}"><section class="waiting" aria-busy="true">${waiting}</section></slot>`;
}

/** Neighbours of the same box together. */
function inBoxes(parts: readonly LatePart[]): [box: string | null, parts: LatePart[]][] {
  const boxes: [string | null, LatePart[]][] = [];
  for (const part of parts) {
    const box = part.box ?? null;
    const last = boxes.at(-1);
    if (last !== undefined && last[0] === box) last[1].push(part);
    else boxes.push([box, [part]]);
  }
  return boxes;
}

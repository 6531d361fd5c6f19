import { html, type Html } from '../html.ts';
import type { Answered } from '../page.ts';
import { evidenceList } from './evidence-list.ts';
import { questionAsCommand, questionAsCurl, questionAsToolCall, questionPath } from '../question-text.ts';

/**
 * What a page rests on: sources with ages, what did not answer and what is missing, and each question to repeat elsewhere, unless it is
 * hidden.
 */
export function evidenceFoot(answered: readonly Answered[], origin: string, hidesInput = false): Html | null {
  if (answered.length === 0) return null;
  const evidence = evidenceList(answered.flatMap(({ verdict }) => verdict ?? []));
  if (hidesInput && evidence === null) return null;
  return html`<section class="foot" aria-label="What this rests on">${
    evidence !== null &&
    html`<h2 id="evidence">What this rests on</h2>
${evidence}`
  }
${!hidesInput && html`<details><summary>The same as JSON, curl, command or MCP call</summary>${answered.map((question, at) => repeatBlock(question, at, origin))}</details>`}
</section>`;
}

function repeatBlock({ operation, input }: Answered, at: number, origin: string): Html {
  const path = questionPath(operation, input);
  const texts: [string, string | null][] = [
    ['curl', questionAsCurl(operation, input, origin)],
    ['Command', questionAsCommand(operation, input)],
    ['MCP', questionAsToolCall(operation, input)],
  ];
  return html`<h3>${operation.title}</h3>${path !== null && html`<p><a href="${path}">JSON</a></p>`}${texts.map(
    ([name, text]) => text !== null && copyBlock(`repeat-${at}-${name}`, name, text),
  )}`;
}

/** A text to copy, with its label. `id` is unique on the page. */
export function copyBlock(id: string, label: string, text: string): Html {
  return html`<div class="copy"><span class="label">${label}</span><code id="${id}">${text}</code><button type="button" data-copy="${id}">Copy</button></div>`;
}

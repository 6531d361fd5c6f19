import { formatAge } from '../../engine/summary.ts';
import { html, type Html } from '../html.ts';
import type { Answered } from '../page.ts';
import { questionAsCommand, questionAsCurl, questionAsToolCall, questionPath } from '../question-text.ts';

/**
 * What a page rests on: sources with ages, what did not answer and what is missing, and each question to repeat elsewhere, unless it is
 * hidden.
 */
export function evidenceFoot(answered: readonly Answered[], origin: string, hidesInput = false): Html | null {
  if (answered.length === 0) return null;
  const verdicts = answered.flatMap(({ verdict }) => verdict ?? []);
  const asked = unique(verdicts.flatMap(({ sources_queried }) => sources_queried));
  const silent = unique(verdicts.flatMap(({ sources_unavailable }) => sources_unavailable));
  const gaps = unique(verdicts.flatMap(({ gaps }) => gaps));
  const ages = verdicts.flatMap(({ data_age_seconds }) => data_age_seconds ?? []);
  if (hidesInput && asked.length + silent.length + gaps.length === 0) return null;
  return html`<section class="foot" aria-labelledby="evidence"><h2 id="evidence">What this rests on</h2>
<dl class="facts">
${asked.length > 0 && html`<dt>Sources</dt><dd>${asked.join(', ')}</dd>`}
${ages.length > 0 && html`<dt>Oldest data</dt><dd>${formatAge(Math.max(...ages))} old</dd>`}
${silent.length > 0 && html`<dt>Did not answer</dt><dd>${silent.join(', ')}</dd>`}
${gaps.length > 0 && html`<dt>Missing</dt><dd><ul>${gaps.map((gap) => html`<li>${gap}</li>`)}</ul></dd>`}
</dl>
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

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

import type { Verdict } from '../../engine/evidence.ts';
import { html, type Html } from '../html.ts';
import { evidenceList } from '../parts/evidence-list.ts';
import { stateNote } from '../parts/states.ts';

/** An answer as a tool gives it: with its verdict, and perhaps cut. */
export type ToolAnswer<Answer> = Answer & { verdict: Verdict; trimmed?: string };

/** Around what a view shows: what a tool answer was cut by, and what it rests on. */
export function inViewFrame(answer: ToolAnswer<object>, content: Html): Html {
  const evidence = evidenceList([answer.verdict]);
  return html`${content}
${answer.trimmed !== undefined && stateNote('partial', 'Shortened', answer.trimmed)}
${evidence !== null && html`<section class="foot" aria-labelledby="evidence"><h2 id="evidence">What this rests on</h2>${evidence}</section>`}`;
}

import { type PartVerdict, UNKNOWN_VERDICT } from '../../analysis/domain-verdict.ts';
import type { ApiError } from '../../errors.ts';
import { html, type Html } from '../html.ts';
import type { LatePart, Outcome } from '../page.ts';

/** A line of the verdict: the part, and what is known of it in a few words. */
export function verdictItem(name: string, { text, tone }: PartVerdict, more: Html | null = null): Html {
  return html`<p class="part-verdict tone-${tone}"><span>${name}</span> <strong>${text}</strong>${more !== null && html` ${more}`}</p>`;
}

/** The line of one part as a late part in the strip at the top. */
export function lateVerdict<T>(
  id: string,
  name: string,
  asked: Promise<Outcome<T>>,
  judge: (answer: T) => PartVerdict,
  more: (answer: T) => Html | null = () => null,
): LatePart {
  return {
    id: `verdict-${id}`,
    box: 'strip',
    waiting: html`<p class="part-verdict tone-unknown"><span>${name}</span> <em>being asked</em></p>`,
    content: asked.then((outcome) =>
      outcome.error === null
        ? verdictItem(name, judge(outcome.answer), more(outcome.answer))
        : verdictItem(name, verdictOfError(outcome.error)),
    ),
  };
}

/** What a failure means in a few words: it says nothing of the target. */
export function verdictOfError(error: ApiError): PartVerdict {
  switch (error.code) {
    case 'robots_txt_disallow':
      return { text: 'the site asked not to be visited', tone: 'none' };
    case 'rate_limit_exceeded':
      return { text: 'not asked: your quota is used', tone: 'unknown' };
    case 'target_throttled':
      return { text: 'not asked: too many asked about it', tone: 'unknown' };
    case 'upstream_error':
      return { text: 'no answer', tone: 'unknown' };
    case 'upstream_timeout':
      return { text: 'no answer in time', tone: 'unknown' };
    default:
      return UNKNOWN_VERDICT;
  }
}

import { ApiError } from '../../errors.ts';
import { formatAge } from '../../engine/summary.ts';
import { html, type Html, type HtmlValue } from '../html.ts';

/** What is drawn where something cannot be shown. `tone`: `partial` and `stale` are marked, never in red; `fault` is ours. */
export type StateTone = 'empty' | 'partial' | 'stale' | 'refused' | 'fault';

/** A state of a page or part, drawn on purpose: what it is in a few words, and what that means or what to do. */
export function stateNote(tone: StateTone, heading: HtmlValue, text: HtmlValue): Html {
  return html`<div class="state state-${tone}"><p><strong>${heading}</strong></p><div>${text}</div></div>`;
}

/** Why a part of a page has no answer. */
export function errorNote(error: ApiError, what: string): Html {
  const wait = error.retryAfterSeconds === null ? null : ` Try again in ${formatAge(error.retryAfterSeconds)}.`;
  switch (error.code) {
    case 'not_found':
      return stateNote('empty', `${what}: nothing found`, error.message);
    case 'rate_limit_exceeded':
    case 'target_throttled':
      return stateNote('refused', `${what}: not asked`, [error.message, wait]);
    case 'robots_txt_disallow':
      return stateNote('refused', `${what}: the site asked not to be visited`, error.message);
    case 'internal_error':
      return stateNote('fault', `${what}: a fault of this service`, 'It is in the log under the id of this request.');
    default:
      return stateNote('partial', `${what}: not known`, [error.message, wait]);
  }
}

/** A value that may be unknown: never an empty cell. `why` completes "not known". */
export function known(value: HtmlValue, why = ''): HtmlValue {
  return value === null || value === undefined || value === ''
    ? html`<span class="unknown">not known${why === '' ? null : `: ${why}`}</span>`
    : value;
}

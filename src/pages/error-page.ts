import { describeNearMiss, recognizeText, textKindPhrase } from '../analysis/recognize-text.ts';
import { nearestName } from '../engine/input/did-you-mean.ts';
import { formatAge } from '../engine/summary.ts';
import type { ApiError } from '../errors.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { link, withQuery } from './links.ts';
import { pageOfText } from './page-of-text.ts';
import type { Page, PageDocument, PageRequest } from './page.ts';

/** Longer paths are not guessed at. */
const MAX_PATH_CHARACTERS = 300;

/** The page of an error: what was wrong, what would be right, the nearest thing, and the box to ask again. */
export function errorPage(
  error: ApiError,
  request: Pick<PageRequest, 'url' | 'query'>,
  requestId: string,
  pages: readonly Page[],
): PageDocument {
  const path = request.url.split('?')[0]!;
  const isUnknownPath = error.code === 'not_found' && !pages.some((page) => matches(page, path));
  const heading = isUnknownPath ? 'There is no page here' : headingOf(error);
  const asked = request.query.get('q') ?? lastSegment(path);
  // Of a page that exists the error itself says what would be right.
  const nearest = isUnknownPath && path.length <= MAX_PATH_CHARACTERS ? nearestPage(path, asked, pages) : null;
  return {
    title: heading,
    description: isUnknownPath ? 'No page has this address.' : error.baseMessage,
    main: html`<h1>${heading}</h1>
<p>${isUnknownPath ? html`Nothing has the address <code>${path.slice(0, MAX_PATH_CHARACTERS)}</code>.` : error.baseMessage}</p>
${error.issues !== null && html`<ul>${error.issues.map(({ loc, msg }) => html`<li><code>${loc.slice(1).join('.')}</code> ${msg}</li>`)}</ul>`}
${nearest !== null && html`<p class="do"><strong>${nearest}</strong></p>`}
${adviceOn(error, isUnknownPath)}
<form class="form" action="/"><label>Ask again <input name="q" value="${asked.slice(0, MAX_PATH_CHARACTERS)}" maxlength="2000" autocomplete="off" spellcheck="false"></label> <button>Look up</button></form>
<p class="note">Request <code>${requestId}</code>, ${link(`/docs/errors#${error.code}`, error.code)}</p>`,
  };
}

function headingOf({ code, status, retryAfterSeconds }: ApiError): string {
  const again = retryAfterSeconds === null ? '' : `: again in ${formatAge(retryAfterSeconds)}`;
  switch (code) {
    case 'not_found':
      return 'No source here knows it';
    case 'rate_limit_exceeded':
      return `Too many questions${again}`;
    case 'target_throttled':
      return `This target was asked about too often${again}`;
    case 'robots_txt_disallow':
      return 'The site asked not to be visited';
    case 'body_too_large':
      return 'That is too large';
    case 'method_not_allowed':
      return 'This page takes no such form';
    case 'not_ready':
      return `Not ready${again}`;
    case 'internal_error':
      return 'A fault of this service';
    case 'upstream_error':
    case 'upstream_timeout':
      return 'A source did not answer';
    case 'origin_not_allowed':
      return 'Refused: sent by another site';
    case 'api_key_required':
      return 'Only with a key';
    case 'invalid_access_token':
      return 'This access token is not valid';
    case 'insufficient_scope':
      return 'This access token lacks a scope';
    default:
      return status === 401 ? 'This key is not valid' : 'This cannot be looked up';
  }
}

/** What to do, where the message does not say it. */
function adviceOn({ code }: ApiError, isUnknownPath: boolean): Html | null {
  if (isUnknownPath)
    return html`<p>Addresses look like ${link('/cve/CVE-2021-44228', '/cve/CVE-2021-44228')} or ${link('/domain/example.com', '/domain/example.com')}; of an API call, ${link('/docs', '/v1/...')}. Or begin at the ${link('/', 'start')}.</p>`;
  switch (code) {
    case 'not_found':
      return html`<p>It is written correctly, so it may be too new, reserved or withdrawn, or in a source that is not loaded here: ${link('/status', 'sources and their ages')}. Similar ids are other things, so none is suggested.</p>`;
    case 'rate_limit_exceeded':
      return html`<p>${link('/key', 'Your quota and usage')}: a key has more, and an installation of your own has the limit that you set (<code>SEXTANT_QUOTA_KEYLESS=0</code>: none). Pages from the catalog that cost nothing still answer: ${link('/', 'start')}, ${link('/status', 'status')}.</p>`;
    case 'api_key_required':
      return html`<p>${link('/key', 'Sign in with a key')}, and ask again.</p>`;
    case 'target_throttled':
      return html`<p>All callers together may ask about one site 60 times a minute. It is not your quota.</p>`;
    case 'body_too_large':
      return html`<p>A page takes up to 1 MiB. The command line takes more: <code>sextant check FILE</code>.</p>`;
    case 'method_not_allowed':
      return html`<p>Open the address itself, without sending a form.</p>`;
    case 'internal_error':
      return html`<p>It is in the log under the id of this request. Trying again may help.</p>`;
    case 'not_ready':
    case 'upstream_error':
    case 'upstream_timeout':
      return html`<p>This passes: load the page again. ${link('/status', 'What is away now')}.</p>`;
    default:
      return null;
  }
}

/** The nearest page: of what the address names, or with the mistake of typing mended. Null: none is near. */
function nearestPage(path: string, asked: string, pages: readonly Page[]): HtmlValue {
  const recognized = recognizeText(asked);
  const own = recognized.kind === 'words' || recognized.kind === 'ghsa' ? null : pageOfText(recognized);
  if (own !== null && own !== path)
    return html`${recognized.value} is ${textKindPhrase(recognized.kind)}: ${link(own, 'open its page')}`;
  const [first = '', ...rest] = path.split('/').filter((part) => part !== '');
  const names = [...new Set(pages.map((page) => page.path.split('/')[1]!).filter((name) => name !== ''))];
  const nearest = nearestName(first, names);
  if (nearest !== null && nearest !== first) {
    const mended = [`/${[nearest, ...rest].join('/')}`, `/${nearest}`].find((one) =>
      pages.some((page) => matches(page, one)),
    );
    if (mended !== undefined) return html`Did you mean ${link(mended, mended)}?`;
  }
  const hint = describeNearMiss(asked);
  if (hint !== null) return hint;
  return asked === '' || rest.length > 0 ? null : html`Search for ${link(withQuery('/search', { q: asked }), asked)}`;
}

function matches({ path: template }: Pick<Page, 'path'>, path: string): boolean {
  const parts = template.split('/');
  const given = path.replace(/(?<=.)\/$/, '').split('/');
  const takesRest = parts.at(-1)!.startsWith('*');
  return (
    (takesRest ? given.length >= parts.length : given.length === parts.length) &&
    parts.every((part, at) => part === given[at] || (/^[:*]/.test(part) && given[at] !== ''))
  );
}

function lastSegment(path: string): string {
  const segment = path.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

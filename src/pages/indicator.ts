import { detectIdentifierKind } from '../analysis/identifier-kind.ts';
import { detectPastedKind, type PastedKind } from '../analysis/indicators/pasted-kind.ts';
import { urlInPath } from '../analysis/url-in-path.ts';
import { ApiError } from '../errors.ts';
import { emailVerify } from '../operations/email/email-verify.ts';
import { iocLookup } from '../operations/indicators/ioc-lookup.ts';
import { phoneLookup } from '../operations/indicators/phone-lookup.ts';
import { usernameLookup } from '../operations/indicators/username-lookup.ts';
import { emailPage, phonePage, usernamePage } from './indicator-of-person.ts';
import { threatPage } from './indicator-of-threat.ts';
import { stixFile } from './parts/stix-file.ts';
import { html } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { definePage, type PageContent, type PageRequest, type Question } from './page.ts';

const PATH = '/indicator/';
/** Kinds that can be asked for where the text alone does not tell. */
const NAMED_KINDS: readonly PastedKind[] = ['username', 'phone', 'email'];

/**
 * `/indicator/*value`: what threat lists say of a domain, URL, file hash or address, defanged or not; and what is known of an e-mail
 * address, a phone number or, with `?as=username`, a username. `?format=stix`: as a STIX 2.1 bundle.
 */
export const indicator = definePage({
  path: `${PATH}*value`,
  question(request) {
    const { kind, value } = requirePasted(request);
    return questionAbout(kind, value);
  },
  async render(request, context) {
    const pasted = readPasted(request);
    if (pasted === null) return unreadablePage(textOf(request));
    const asked = questionAbout(pasted.kind, pasted.value);
    if (request.query.get('format') === 'stix' && asked.operation === iocLookup) {
      const answer = await context.ask(iocLookup, { indicator: pasted.value });
      return { file: stixFile([answer], context.now) };
    }
    switch (pasted.kind) {
      case 'email':
        return emailPage(pasted.value, context);
      case 'phone':
        return phonePage(pasted.value, context);
      case 'username':
        return usernamePage(pasted.value, context);
      default:
        return threatPage(pasted.kind, pasted.value, context);
    }
  },
});

function questionAbout(kind: PastedKind, value: string): Question {
  if (kind === 'email') return { operation: emailVerify, input: { email: value } };
  if (kind === 'phone') return { operation: phoneLookup, input: { number: value } };
  if (kind === 'username') return { operation: usernameLookup, input: { username: value } };
  return { operation: iocLookup, input: { indicator: value } };
}

/** The rest of the path, or the URL that it is together with the query. */
function textOf({ url, params }: PageRequest): string {
  return (urlInPath(url.slice(PATH.length)) ?? params.value ?? '').trim();
}

function readPasted(request: PageRequest): { kind: PastedKind; value: string } | null {
  const text = textOf(request);
  const found = detectPastedKind(text);
  const named = NAMED_KINDS.find((kind) => kind === request.query.get('as'));
  return named === undefined || text === '' || found?.kind === 'url' ? found : { kind: named, value: text };
}

function requirePasted(request: PageRequest): { kind: PastedKind; value: string } {
  const found = readPasted(request);
  if (found !== null) return found;
  throw new ApiError(
    'invalid_argument',
    'That is no indicator. Accepted: a public IP address, a domain, an http(s) URL without a login, an MD5, SHA-1 or SHA-256, an e-mail address, or a phone number with its country code.',
  );
}

function unreadablePage(text: string): PageContent {
  if (detectIdentifierKind(text) === 'ip') return { redirectTo: paths.ip(text) };
  const shown = text.length > 200 ? `${text.slice(0, 200)}...` : text;
  return {
    status: 400,
    title: 'Not an indicator',
    description: 'What was asked is no address, domain, URL, hash, e-mail address or phone number.',
    main: html`<h1>That is not an indicator</h1>
${text !== '' && html`<p><code>${shown}</code></p>`}
<p>Accepted, defanged or not: a public IP address, a domain, an http(s) URL without a login, an MD5, SHA-1 or SHA-256, an e-mail address, a phone number with its country code.</p>
<ul>${text !== '' && text.length <= 50 && html`<li>${link(withQuery(paths.indicator(text), { as: 'username' }), 'Ask for it as a username')}</li>`}
<li>${link('/lists', 'Find the indicators of a longer text')}</li>
<li>${link(withQuery('/search', { q: shown }), 'Search CVEs for these words')}</li></ul>`,
  };
}

import { mailboxAdvice } from '../analysis/email/mailbox-advice.ts';
import { emailVerify } from '../operations/email/email-verify.ts';
import { phoneLookup } from '../operations/indicators/phone-lookup.ts';
import { usernameLookup } from '../operations/indicators/username-lookup.ts';
import { html, type Html, type HtmlValue, join } from './html.ts';
import { foreignLink, link, paths } from './links.ts';
import type { PageContent, PageContext } from './page.ts';
import { known } from './parts/states.ts';

/** What is known of a mail address and its domain. */
export async function emailPage(email: string, context: PageContext): Promise<PageContent> {
  const answer = await context.ask(emailVerify, { email });
  const { domain, syntax_valid, syntax_note, mx_records, disposable, disposable_provider, role_type } = answer;
  const { verdict, advice } = mailboxAdvice(answer);
  return {
    title: `${answer.email}: ${verdict}`,
    description: `${answer.email}: ${verdict}. ${advice}`,
    main: html`<h1>${answer.email}</h1>
<ul class="verdict"><li><strong>${verdict}</strong></li>${answer.free_provider === true && html`<li class="tag">free provider</li>`}${role_type !== null && html`<li class="tag">role: ${role_type}</li>`}</ul>
<div class="do"><p>${advice}</p></div>
<dl class="facts"><dt>Form</dt><dd>${syntax_valid ? 'well-formed' : 'not well-formed'}${syntax_note !== null && `: ${syntax_note}`}</dd>
<dt>Its domain</dt><dd>${yesNo(answer.domain_exists, 'exists', 'does not exist')}, ${yesNo(answer.accepts_mail, 'takes mail', 'takes no mail')}</dd>
<dt>Throw-away</dt><dd>${yesNo(disposable, `yes${disposable_provider === null ? '' : `: ${disposable_provider}`}`, 'in no list of such services')}</dd>
<dt>Mail servers</dt><dd>${
      mx_records === null
        ? known(null, 'the DNS did not answer')
        : mx_records.length === 0
          ? 'none'
          : join(
              mx_records.map(({ exchange }) => html`<span class="id">${exchange}</span>`),
              ', ',
            )
    }</dd></dl>
${domain !== null && html`<p>${link(paths.domain(domain), ['Whether mail of ', domain, ' can be forged, and the rest of its domain'])}</p>`}`,
  };
}

/** What the numbering plans say of a phone number. */
export async function phonePage(number: string, context: PageContext): Promise<PageContent> {
  const answer = await context.ask(phoneLookup, { number });
  const { valid, format, country_name, country_code, calling_code, type, timezone } = answer;
  const verdict = valid ? `a valid number${country_name === null ? '' : ` of ${country_name}`}` : 'not a valid number';
  return {
    title: `${number}: ${verdict}`,
    description: answer.summary,
    main: html`<h1>${format.international ?? number}</h1>
<ul class="verdict"><li><strong>${verdict}</strong></li>${type !== null && html`<li class="tag">${type.replaceAll('_', ' ')}</li>`}</ul>
<div class="do"><p>${valid ? 'A valid form proves nothing about who calls: the number that a phone shows can be forged.' : 'Ask for it again. If it called, its number was forged.'}</p></div>
<p>${answer.summary}</p>
<dl class="facts"><dt>E.164</dt><dd>${known(format.e164 && html`<span class="id">${format.e164}</span>`)}</dd><dt>In the country</dt><dd>${known(format.national)}</dd>
<dt>Country</dt><dd>${known(country_name ?? country_code)}${calling_code !== null && ` (+${calling_code.replace(/^\+/, '')})`}</dd><dt>Time zone</dt><dd>${known(timezone, 'the country has several, or none is known')}</dd>
<dt>Carrier</dt><dd>${known(null, 'numbers move between carriers')}</dd></dl>`,
  };
}

const STATUS_TEXTS = { found: 'taken', not_found: 'free', unknown: 'not known' } as const;

/** At which platforms a username is taken. */
export async function usernamePage(username: string, context: PageContext): Promise<PageContent> {
  const { error, results, ...answer } = await context.ask(usernameLookup, { username });
  const rows = results.toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status));
  return {
    status: error === null ? 200 : 400,
    title: `${answer.username}: ${error === null ? `taken at ${answer.found_count} of ${answer.checked_count} platforms` : 'not a username'}`,
    description: answer.summary,
    main: html`<h1>${answer.username}</h1>
<p>${answer.summary}</p>
${
  error === null &&
  html`<div class="do"><p>The same name need not be the same person. Compare what the profiles say before you join them.</p></div>
<div class="scroll" tabindex="0" role="region" aria-label="Platforms"><table data-rows><thead><tr><th scope="col">Platform</th><th scope="col">Name</th><th scope="col">Why</th></tr></thead><tbody>${rows.map(platformRow)}</tbody></table></div>`
}`,
  };
}

const ORDER = ['found', 'unknown', 'not_found'] as const;

function platformRow({
  platform,
  url,
  status,
  reason,
}: {
  platform: string;
  url: string;
  status: keyof typeof STATUS_TEXTS;
  reason: string | null;
}): Html {
  return html`<tr><th scope="row">${status === 'found' ? foreignLink(url, platform) : platform}</th><td>${status === 'unknown' ? known(null) : STATUS_TEXTS[status]}</td><td>${reason}</td></tr>`;
}

function yesNo(value: boolean | null, yes: string, no: string): HtmlValue {
  return value === null ? known(null) : value ? yes : no;
}

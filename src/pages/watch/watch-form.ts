import { SEVERITIES } from '../../analysis/severity.ts';
import { ApiError } from '../../errors.ts';
import type { TryAsk } from '../../operations/cve/lib/find-product.ts';
import { subjectOfText } from '../../operations/watches/lib/subject-of-text.ts';
import { unpackTexts } from '../check/packed-texts.ts';
import { html, type Html } from '../html.ts';
import { formText } from '../read-form.ts';
import { readSearchValues, toInput } from '../search-query.ts';

/** Fields of a subject that links of other pages fill in. */
const SUBJECT_FIELDS = [
  'cve_id',
  'purl',
  'cpe',
  'vendor',
  'product',
  'version',
  'domain',
  'indicator',
  'filters',
  'packed',
];
/** What a reader chooses. */
const CHOICE_FIELDS = [
  'thing',
  'name',
  'severity_min',
  'kev_only',
  'url',
  'format',
  'to',
  'when',
  'at',
  'time_zone',
  'quiet_from',
  'quiet_to',
];

/** Values of the form, as text. */
export type WatchFormValues = Readonly<Record<string, string>>;

/** What the address or a sent form says. */
export function readWatchForm(given: URLSearchParams | FormData): WatchFormValues {
  const values = [...SUBJECT_FIELDS, ...CHOICE_FIELDS].map((name) => [name, given.get(name)] as const);
  return Object.fromEntries(
    values.flatMap(([name, value]) => (typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [])),
  );
}

/** Input of `watch_create`. Throws `ApiError` for a form that names nothing, or what cannot be watched. */
export async function toWatchInput(form: FormData, tryAsk: TryAsk): Promise<Record<string, unknown>> {
  const values = readWatchForm(form);
  const {
    name,
    severity_min,
    kev_only,
    url,
    format,
    to,
    when,
    at,
    time_zone,
    quiet_from: from,
    quiet_to: until,
  } = values;
  return {
    ...(name !== undefined && { name }),
    subject: await subjectOf(form, values, tryAsk),
    conditions: { ...(severity_min !== undefined && { severity_min }), kev_only: kev_only !== undefined },
    channels: [...(url === undefined ? [] : [{ url, format }]), ...(to === undefined ? [] : [{ to }])],
    schedule: {
      ...(when !== undefined && { when }),
      ...(at !== undefined && { at }),
      ...(time_zone !== undefined && { time_zone }),
      ...(from !== undefined && until !== undefined && { quiet: { from, to: until } }),
    },
  };
}

async function subjectOf(form: FormData, values: WatchFormValues, tryAsk: TryAsk): Promise<Record<string, unknown>> {
  const file = form.get('file');
  if (file !== null && typeof file !== 'string' && file.size > 0)
    return { document: await file.text(), filename: file.name };
  const { thing, filters, packed, ...given } = values;
  if (packed !== undefined) {
    const [first] = await unpackTexts(packed);
    return { document: first!.text, ...(first!.name !== null && { filename: first!.name }) };
  }
  if (filters !== undefined) return { filters: toInput(readSearchValues(new URLSearchParams(filters))) };
  const fields = SUBJECT_FIELDS.filter((name) => given[name] !== undefined);
  if (fields.length > 0) return Object.fromEntries(fields.map((name) => [name, given[name]]));
  const text = thing ?? (await formText(form, 'thing'));
  if (text === '')
    throw new ApiError('invalid_argument', 'Say what is to be watched, or choose a lockfile or an SBOM.');
  return subjectOfText(text, tryAsk);
}

/** The form that makes a watch. `fault`: what was wrong with the one that was sent. */
export function watchForm(values: WatchFormValues, fault: ApiError | null): Html {
  const given = SUBJECT_FIELDS.filter((name) => values[name] !== undefined);
  const option = (name: string, value: string, text: string): Html =>
    html`<option value="${value}"${values[name] === value && html` selected`}>${text}</option>`;
  const text = (name: string, size: number, placeholder = ''): Html =>
    html`<input name="${name}" value="${values[name] ?? ''}" size="${size}" maxlength="2048" placeholder="${placeholder}" autocomplete="off" spellcheck="false">`;
  const time = (name: string): Html => html`<input type="time" name="${name}" value="${values[name] ?? ''}">`;
  return html`<section id="add"><h2>Watch something</h2>
${fault !== null && html`<p class="fault" role="alert">${fault.baseMessage}</p>`}
<form method="post" action="/watches" enctype="multipart/form-data">
${
  given.length > 0
    ? html`<p>${given.map((name) => html`<input type="hidden" name="${name}" value="${values[name]}">`)}<strong>${subjectText(values)}</strong> <a href="/watches#add">something else</a></p>`
    : html`<div class="form"><label>CVE, package URL, CPE name, vendor:product@version, domain, address, hash ${text('thing', 44, 'apache:log4j@2.14.1')}</label>
<label>or a lockfile or SBOM <input type="file" name="file"></label></div>
<p class="note">Of a file the names and versions of its packages are kept, and nothing else.</p>`
}
<div class="form">
<label>Tell <select name="when">${option('when', 'at_once', 'at once')}${option('when', 'daily', 'once a day')}${option('when', 'weekly', 'on Mondays')}</select></label>
<label>at ${time('at')}</label>
<label>in the time zone ${text('time_zone', 16, 'UTC')}</label>
<label>quiet from ${time('quiet_from')}</label>
<label>until ${time('quiet_to')}</label>
</div>
<div class="form">
<label>Severity <select name="severity_min">${option('severity_min', '', 'any')}${SEVERITIES.map((one) => option('severity_min', one, `${one} and up`))}</select></label>
<label class="check"><span><input type="checkbox" name="kev_only" value="1"${values['kev_only'] !== undefined && html` checked`}> only known-exploited CVEs</span></label>
</div>
<div class="form">
<label>Webhook ${text('url', 36, 'https://hooks.example.com/...')}</label>
<label>in the form of <select name="format">${option('format', 'standard', 'Standard Webhooks, signed')}${option('format', 'slack', 'Slack')}${option('format', 'teams', 'Teams')}</select></label>
<label>Mail to ${text('to', 24, 'security@example.com')}</label>
</div>
<div class="form"><label>Name, for you ${text('name', 30)}</label> <button name="do" value="add">Watch</button></div>
<p class="note">Without a webhook and a mail address it is only shown here, in feeds, and by <code>sextant watch</code>.</p>
</form></section>`;
}

function subjectText(values: WatchFormValues): string {
  if (values['packed'] !== undefined) return 'The packages of the text that was checked';
  if (values['filters'] !== undefined) return `CVEs of the search ${values['filters']}`;
  const { vendor, product, version } = values;
  if (product !== undefined) return [vendor, product, version].filter((part) => part !== undefined).join(' ');
  if (vendor !== undefined) return `Products of ${vendor}`;
  return SUBJECT_FIELDS.flatMap((name) => values[name] ?? []).join(' ');
}

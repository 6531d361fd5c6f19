import { html, type Html, type HtmlValue } from '../html.ts';
import type { SearchValues } from '../search-query.ts';

const SEVERITY_OPTIONS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'].map((value) => [value, value.toLowerCase()] as const);
const EPSS_OPTIONS = [
  ['0.01', '1 % or more'],
  ['0.1', '10 % or more'],
  ['0.5', '50 % or more'],
  ['0.9', '90 % or more'],
] as const;

/** The form of a search with its values; `faults`: what is wrong with a field, by its name. */
export function searchForm(values: SearchValues, faults: ReadonlyMap<string, string> = new Map()): Html {
  const text = (name: string, label: string, attributes: HtmlValue = null): Html =>
    formField(name, label, values, faults, attributes);
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]): Html =>
    field(
      name,
      label,
      faults,
      (fault) => html`<select id="f-${name}" name="${name}"${fault}>${optionsOf(options, values[name])}</select>`,
    );
  const day = html` placeholder="YYYY-MM-DD" size="11" maxlength="10"`;
  const score = html` inputmode="decimal" size="5" maxlength="5"`;
  const more = ['severity', 'kev', 'published_after', 'published_before', 'cwe_id', 'epss_min', 'cvss_min', 'cvss_max'];
  const isOpen = more.some((name) => values[name] !== undefined || faults.has(name));
  return html`<form action="/search" method="get" class="search" role="search" aria-label="CVEs">
<div class="form">${text('q', 'Words', html` type="search" size="28"`)}${text('product', 'Product', html` size="16"`)}${text('vendor', 'Vendor', html` size="16"`)}<button>Search</button></div>
<details${isOpen && html` open`}><summary>More filters</summary><div class="form">
${choice('severity', 'Severity', SEVERITY_OPTIONS)}${choice('kev', 'Exploited', [['true', 'known exploited']])}${choice('epss_min', 'EPSS', EPSS_OPTIONS)}${text('published_after', 'Published from', day)}${text('published_before', 'to', day)}${text('cvss_min', 'CVSS v3 from', score)}${text('cvss_max', 'to', score)}${text('cwe_id', 'Weakness', html` placeholder="CWE-79" size="9"`)}
</div></details>
${['sort', 'tagged', 'days', 'include_rejected', 'all_names', 'version', 'purl'].map((name) => values[name] !== undefined && html`<input type="hidden" name="${name}" value="${values[name]}">`)}
</form>`;
}

/** A text field with its value and, where it is at fault, what is wrong with it. */
export function formField(
  name: string,
  label: string,
  values: SearchValues,
  faults: ReadonlyMap<string, string>,
  attributes: HtmlValue,
): Html {
  return field(
    name,
    label,
    faults,
    (fault) => html`<input id="f-${name}" name="${name}" value="${values[name] ?? ''}"${attributes}${fault}>`,
  );
}

const WORDS: Readonly<Record<string, (value: string) => string>> = {
  q: (value) => `“${value}”`,
  product: (value) => `product ${value.replaceAll('_', ' ')}`,
  vendor: (value) => `vendor ${value.replaceAll('_', ' ')}`,
  severity: (value) => value.toLowerCase(),
  kev: () => 'known exploited',
  published_after: (value) => `published from ${value}`,
  published_before: (value) => `published to ${value}`,
  days: (value) => `of the last ${value} days`,
  cwe_id: (value) => value,
  epss_min: (value) => `EPSS ${Number.isNaN(Number(value)) ? value : `${Number(value) * 100} %`} or more`,
  cvss_min: (value) => `CVSS ${value} or more`,
  cvss_max: (value) => `CVSS ${value} or less`,
  tagged: () => 'also as platform',
  all_names: () => 'under all its names',
  include_rejected: () => 'rejected ones too',
};

/** Filters in words: `product openssl, high, published from 2024-01-01`. */
export function describeFilters(filters: SearchValues): string {
  return Object.entries(WORDS)
    .flatMap(([name, describe]) => (filters[name] === undefined ? [] : describe(filters[name].slice(0, 100))))
    .join(', ');
}

function field(
  name: string,
  label: string,
  faults: ReadonlyMap<string, string>,
  control: (fault: HtmlValue) => Html,
): Html {
  const fault = faults.get(name);
  const marks = fault === undefined ? null : html` aria-invalid="true" aria-describedby="f-${name}-fault"`;
  return html`<label>${label}${control(marks)}${fault !== undefined && html`<span class="fault" id="f-${name}-fault">${fault}</span>`}</label>`;
}

/** A value that is none of the choices stays one, so that nothing is lost when the form is sent again. */
function optionsOf(options: readonly (readonly [string, string])[], value: string | undefined): Html {
  const all =
    value === undefined || options.some(([one]) => one === value) ? options : [...options, [value, value] as const];
  return html`<option value="">any</option>${all.map(
    ([one, text]) => html`<option value="${one}"${one === value && html` selected`}>${text}</option>`,
  )}`;
}

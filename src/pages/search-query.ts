import { withQuery } from './links.ts';

/** Values of a search in an address, as text; the names are those of the operation. */
export type SearchValues = Readonly<Record<string, string>>;

const FIELDS: Readonly<Record<string, 'text' | 'number' | 'flag'>> = {
  q: 'text',
  product: 'text',
  vendor: 'text',
  severity: 'text',
  kev: 'flag',
  published_after: 'text',
  published_before: 'text',
  days: 'number',
  cwe_id: 'text',
  epss_min: 'number',
  cvss_min: 'number',
  cvss_max: 'number',
  tagged: 'flag',
  all_names: 'flag',
  include_rejected: 'flag',
  sort: 'text',
  offset: 'number',
  version: 'text',
  purl: 'text',
};
/** What chooses a part of the result, but is no filter. */
const NO_FILTERS = new Set(['sort', 'offset', 'version', 'purl']);
/** What is kept for the pages that results lead to, and is no input of a search. */
const CARRIED = new Set(['version', 'purl']);

/** The fields of a search that have a value. */
export function readSearchValues(
  query: URLSearchParams,
  fields: readonly string[] = Object.keys(FIELDS),
): SearchValues {
  const values = fields.map((name) => [name, (query.get(name) ?? '').trim()] as const);
  return Object.fromEntries(values.filter(([name, value]) => value !== '' && !isDefault(name, value)));
}

/** Whether a form sent fields that are empty: the address to pass on is without them. */
export function hasEmptyFields(query: URLSearchParams): boolean {
  return [...query].some(([name, value]) => value === '' && name !== 'format');
}

/** The filters alone: without order and page. */
export function filtersOf(values: SearchValues): SearchValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !NO_FILTERS.has(name)));
}

/** The values as input of the operation. A number that is none stays text, so that the operation says what is wrong. */
export function toInput(values: SearchValues): Record<string, unknown> {
  const fields = Object.entries(values).filter(([name]) => !CARRIED.has(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, toField(name, value)]));
}

/** The one address of a state: names in order, nothing empty. A change of filters begins at the first page. */
export function stateAddress(
  path: string,
  values: SearchValues,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const firstPage = Object.keys(changes).length > 0 ? { offset: null } : {};
  const all = Object.entries({ ...values, ...firstPage, ...changes });
  return withQuery(path, Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** The first and last day of a year (`2024`) or a month (`2024-02`), as filters. */
export function publishedWithin(period: string): { published_after: string; published_before: string } {
  const [year, month] = period.split('-').map(Number);
  const first = new Date(Date.UTC(year!, (month ?? 1) - 1, 1));
  const last = new Date(Date.UTC(year!, month ?? 12, 0));
  return { published_after: first.toISOString().slice(0, 10), published_before: last.toISOString().slice(0, 10) };
}

function isDefault(name: string, value: string): boolean {
  return (FIELDS[name] === 'flag' && value === 'false') || (name === 'offset' && value === '0');
}

function toField(name: string, value: string): unknown {
  if (FIELDS[name] === 'flag') return value === 'true' || (value === 'on' ? true : value);
  return FIELDS[name] === 'number' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

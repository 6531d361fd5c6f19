import type { FieldChange } from './field-change.ts';

const MAX_SHOWN_CHARACTERS = 60;

/** `score nvd@nist.gov CVSS 3.1 from 7.5 to 9.8`. */
export function changePhrase({
  kind,
  change,
  field,
  before,
  after,
}: {
  kind: FieldChange['kind'];
  change: FieldChange['change'];
  field: string;
  before: unknown;
  after: unknown;
}): string {
  const values = [before, after].map((value) => (value === null ? null : shown(value)));
  const what = field === kind ? kind : `${kind} ${field}`;
  if (change === 'changed' && values[0] !== null && values[1] !== null)
    return `${what} from ${values[0]} to ${values[1]}`;
  return `${what} ${change}${(values[1] ?? values[0]) ? ` (${values[1] ?? values[0]})` : ''}`;
}

function shown(value: unknown): string {
  const { vulnerability_name, title, score, severity, status } = { ...(value as Record<string, unknown>) };
  const main = Array.isArray(value)
    ? value.join(', ')
    : (vulnerability_name ?? title ?? score ?? severity ?? status ?? value);
  const text = typeof main === 'string' ? main : JSON.stringify(main);
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

import { styleText } from 'node:util';
import { toOneLine } from './analysis/display-text.ts';

const LEVEL_WORDS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'error',
};
/** A line that shows progress is replaced. */
const ERASE_LINE = '\r\x1b[2K';

/** A JSON line of the log for a person: `12:30:05 warning: 2 feeds could not be reached (feeds: kev, epss)`. */
export function logLineText(line: string, stream: NodeJS.WriteStream): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as { level: number; time: string; msg?: string };
  const word = LEVEL_WORDS[level] ?? 'info';
  const label = level < 40 ? word : styleText(level === 40 ? 'yellow' : 'red', word, { stream });
  const details = Object.entries(fields).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(value)}`);
  const text = [msg ?? '', details.length === 0 ? '' : `(${details.join('; ')})`]
    .filter((part) => part !== '')
    .join(' ');
  const clock = new Date(time).toTimeString().slice(0, 8);
  return `${stream.isTTY ? ERASE_LINE : ''}${clock} ${label}: ${toOneLine(text)}\n`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  // An error, as the library writes it.
  if ('message' in value) return String(value.message);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${valueText(each)}`)
    .join(', ');
}

import type { TextKind } from '../text-kind.ts';

/** Where a value stands, without its quotes. */
export interface ValueRange {
  start: number;
  end: number;
}

const MAX_VALUE_LENGTH = 600;
const QUOTE_START = /\$?[bBrRuUfFLN@]{0,2}(\\{0,3})(["'`])/y;
/** What makes text or bytes of a string, and leaves it as it is. */
const WRAPPER =
  /(?:(?:new\s+)?(?:\[\]byte|String(?:::from|\.raw)?|str|bytes|Buffer\.from|Some|Secret(?:Str|String)?(?:::new|::from)?|SecretKeySpec|atob|base64\.b64decode|to_bytes|SecureString|CharArray|InMemoryCredential|text|N|ConvertTo-SecureString(?:[ \t]+-String)?|default|env|config|getenv|os\.getenv|os\.environ\.get|os\.Getenv|ENV\.fetch|System\.getenv|process\.env\.get)[ \t]?\(\s{0,20}|\(\s{0,8}|ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?){1,2}(?=\$?[bBrRuUfFL@]{0,2}["'`])/y;
/** Of those, what looks up a name, so that the value is the second argument. */
const LOOK_UP = /(?:env|config|getenv|Getenv|get|fetch)[ \t]?\(\s{0,20}$/;

/** The place after a call that only converts its argument. */
export function skipWrapper(code: string, at: number): number {
  WRAPPER.lastIndex = at;
  const found = WRAPPER.exec(code);
  return found === null || LOOK_UP.test(found[0]) ? at : at + found[0].length;
}

/** The text in quotes that begins here; null: none does, or it does not end in its line. */
export function readQuotedValue(code: string, at: number): ValueRange | null {
  QUOTE_START.lastIndex = at;
  const open = QUOTE_START.exec(code);
  if (open === null) return null;
  const [whole, escape = '', quote = '"'] = open;
  const start = at + whole.length;
  const close = escape + quote;
  const limit = Math.min(code.length, start + MAX_VALUE_LENGTH);
  for (let end = start; end < limit; end++) {
    const unit = code.charCodeAt(end);
    if (unit === 0x0a) return null;
    if (unit === 0x5c) {
      if (escape !== '' && code.startsWith(close, end)) return end > start ? { start, end } : null;
      end++;
    } else if (escape === '' && code[end] === quote) return end > start ? { start, end } : null;
  }
  return null;
}

const WHOLE_LINE = /[^\r\n]{1,1024}/y;
/** Not the name of a call, nor of another setting. */
const INLINE = /[^\s;"'`&<>,(){}[\]|\\]{1,512}(?![([]|[^\s;"'`&<>,(){}[\]|\\])(?<!=(?=["']))/y;
const SHELL_WORD = /[^\s;|"'`()<>]{1,512}/y;
const TO_LINE_END = /([^\s"'`;,(){}<>[\]]{4,512})(?=[ \t]{0,20}(?:\r?\n|$|\\n|#|\/\/))/y;

/** A value without quotes. In settings it goes to the end of its line, in a string with several settings to the next one. */
export function readBareValue(
  code: string,
  at: number,
  kind: TextKind,
  { startsLine, isInString }: { startsLine: boolean; isInString: boolean },
): ValueRange | null {
  if (kind === 'shell') return rangeOf(SHELL_WORD, code, at);
  if (startsLine && kind === 'settings') return trimLine(code, rangeOf(WHOLE_LINE, code, at));
  if (startsLine) return rangeOf(TO_LINE_END, code, at);
  return isInString || kind === 'settings' ? rangeOf(INLINE, code, at) : null;
}

function rangeOf(pattern: RegExp, code: string, at: number): ValueRange | null {
  pattern.lastIndex = at;
  const found = pattern.exec(code);
  if (found === null) return null;
  return { start: at, end: at + (found[1] ?? found[0]).length };
}

/** Without the comment after it, and without marks of YAML and JSON around it. */
function trimLine(code: string, range: ValueRange | null): ValueRange | null {
  if (range === null) return null;
  const line = code.slice(range.start, range.end);
  const text = line
    .replace(/[ \t]+(?:#|;|\/\/).*$/, '')
    .replace(/(?:\\n)?["']?,?[ \t]*$/, '')
    .trimEnd();
  if (/^[|>&*{[("'`]/.test(text) || text === '') return null;
  return { start: range.start, end: range.start + text.length };
}

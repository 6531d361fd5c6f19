import type { TextKind } from '../text-kind.ts';
import { readArguments } from './read-arguments.ts';
import { readBareValue, readQuotedValue, skipWrapper, type ValueRange } from './read-value.ts';

/** A value that a text gives to a name, in whatever syntax. */
export interface Assignment extends ValueRange {
  name: string;
  nameEnd: number;
  isQuoted: boolean;
  /** False: it stands beside the name in a list, or is compared with it. */
  isAssigned: boolean;
}

const MAX_NAME_HALF = 60;
const NAME_TAIL = /[\w.-]{0,60}/y;

/** The end of a name's own quotes or brackets: `["name"]`, `'name')`. */
const CLOSE = String.raw`(?:\\{0,3}["'\x60])?(?:\[\w{0,20}\])?[\])}]?`;
const SPACE = String.raw`[ \t]{0,40}`;
const TYPE = String.raw`(?<!["'\x60][ \t]{0,4})(?::[ \t]?(?:&'?\w*[ \t]?)?[A-Za-z_][\w<>.|?&\[\] ]{0,40}(?=[ \t]?=)|[ \t]{1,4}(?:As[ \t]|string|String|str|char|text|varchar)\w*)`;
/** What gives a value to a name. */
const OPERATOR = new RegExp(
  String.raw`${CLOSE}${SPACE}(?:${TYPE}${SPACE})?(:=|=>|[!=]={1,2}|[+?|:]{0,2}=|:|<-|\|\||\?\?|\?:|(?<=[)\]][ \t]{0,4})or\b)[ \t]{0,40}`,
  'y',
);
/** The value is in an attribute or a field of its own: `name="token" value="…"`, `"key": "token", "value": "…"`, `- name: TOKEN\n  value: …`. */
const PAIR = new RegExp(
  String.raw`${CLOSE}\s{0,40},?\s{0,40}(?:["']?(?:type|enabled|description|secret|sensitive|scope)["']?\s{0,4}[:=]\s{0,4}["']?[\w .-]{0,40}["']?,?\s{0,40}){0,2}["']?(?:[Vv]alue|val|content|defaultValue|connectionString)["']?\s{0,4}[:=]\s{0,4}`,
  'y',
);
/** A variable or a parameter declared with its default: Terraform, CloudFormation. */
const DECLARED_DEFAULT =
  /["']?(?:[ \t]*\{|:)[ \t]*\r?\n(?:(?![ \t]*[Dd]efault)[ \t]+[A-Z_a-z][^}\n]{0,160}\n){0,6}[ \t]+[Dd]efault[ \t]{0,20}[:=][ \t]{0,8}/y;
const PLIST_VALUE =
  /[ \t]{0,4}<\/(?:key|name|stringProp)>\s{0,80}<(?:string|value|stringProp name="Argument\.value")>/iy;
/** Text that a test enters into the field that the name selects: `get('#password').type('…')`, `fill('#password', '…')`. */
const ENTERED =
  /[^\n"'`;]{0,20}["'`\]]{1,3}[ \t]?\)(?:\.\w{1,20}\([^()\n]{0,40}\)){0,2}\.(?:type|fill|send_?keys|setValue|enterText|clearAndType|pressSequentially)\([ \t]{0,4}/iy;
const ENTERED_ARGUMENT = /[^\n"'`;()]{0,20}["'`\]]{1,3},[ \t]{0,4}/y;
const ENTERS = /\.(?:type|fill|setValue|fillField|enterText)\([ \t]{0,4}["'`][^"'`\n]{0,60}$/;
const ELEMENT_VALUE = /["']?(?:\s[^<>]{0,160})?>[ \t]{0,8}(?:<!\[CDATA\[|\s{1,60}<Value>)?/y;
const ARGUMENT = new RegExp(String.raw`${CLOSE}${SPACE},\s{0,40}`, 'y');
const ROBOT_VARIABLE = /\}[ \t]*(?:=[ \t]*)?(?: {2,}|\t)/y;
const SETTER = /\(\s{0,20}/y;
const SPACED = /[ \t]{1,20}(?=["'])/y;
const SPACED_WORD = /[ \t]{1,20}(?=[^\s=:;,"'(){}])/y;
const IN_PROSE = /["'`*]{0,3} (?:is|was|ist|lautet|=>|->)[ \t]?:?[ \t]{1,3}/y;

/** The name around a place in a text, with its end. */
function nameAround(code: string, at: number): { name: string; start: number; end: number } {
  let start = at;
  while (start > 0 && at - start < MAX_NAME_HALF && isNameUnit(code.charCodeAt(start - 1))) start--;
  NAME_TAIL.lastIndex = at;
  const tail = NAME_TAIL.exec(code)![0].replace(/[.-]+$/, '');
  return { name: code.slice(start, at) + tail, start, end: at + tail.length };
}

function isNameUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x2d ||
    unit === 0x2e
  );
}

/** The end of the name that is at this place of the text. */
export function nameAt(code: string, at: number): { name: string; start: number; end: number } {
  return nameAround(code, at);
}

/** The value that is given to the name, which ends at `end`. Null: none is, or one that code computes. */
export function readAssignment(
  code: string,
  { name, start, end }: { name: string; start: number; end: number },
  kind: TextKind,
): Assignment | null {
  const value = (range: (ValueRange & { isQuoted: boolean }) | null, isAssigned = true): Assignment | null =>
    range === null ? null : { name, nameEnd: end, isAssigned, ...range };
  const line = { startsLine: startsLine(code, start), isInString: isInString(code, start) };
  // A line within a string: source code, more often than settings.
  if (kind === 'settings' && ESCAPED_LINE_START.test(code.slice(Math.max(0, start - 40), start))) kind = 'code';

  const operator = match(OPERATOR, code, end);
  const pair = match(PAIR, code, end);
  if (pair !== null) return value(readValue(code, pair.end, kind, { startsLine: true, isInString: false }, ':'));
  if (code.startsWith('${', start - 2)) {
    // A variable of Robot Framework.
    const variable = match(ROBOT_VARIABLE, code, end);
    if (variable !== null && line.startsLine) return value(bare(readBareValue(code, variable.end, 'settings', line)));
  }
  const tuple = operator === null ? null : readTuple(code, start, operator);
  if (tuple !== null) return value(quoted(tuple));
  if (operator !== null) {
    if (code.startsWith('${', start - 2) && /^:[-=]?$/.test(operator.text.trim() + (code[operator.end] ?? '')))
      return value(readDefault(code, operator.end));
    if (code.startsWith('${', start - 2) && operator.text.trim() === ':')
      return /[?+]/.test(code[operator.end]!) ? null : value(readDefault(code, operator.end));
    // `hash("password") == "…"` compares something else than the name.
    if (/\)/.test(operator.text) && /^[!=]=/.test(operator.group)) return null;
    const given = value(readValue(code, operator.end, kind, line, operator.group));
    if (given !== null) return given;
  }
  const declared = match(DECLARED_DEFAULT, code, end);
  if (declared !== null)
    return value(readValue(code, declared.end, kind, { startsLine: true, isInString: false }, ':'));
  if (operator !== null) return kind === 'code' ? null : value(readProse(code, operator.end), false);
  const plist = match(PLIST_VALUE, code, end);
  if (plist !== null) return value(readElementText(code, plist.end));
  if (code[start - 1] === '<' || isNameAttribute(code, start)) {
    const element = match(ELEMENT_VALUE, code, end);
    if (element !== null) return value(readElementText(code, element.end));
  }
  const entered =
    match(ENTERED, code, end) ??
    (ENTERS.test(code.slice(Math.max(0, start - 80), start)) ? match(ENTERED_ARGUMENT, code, end) : null);
  if (entered !== null) return value(quoted(readQuotedValue(code, entered.end)));
  const argument = match(ARGUMENT, code, end);
  if (argument !== null)
    return isFirstArgument(code, start) || isConstantArgument(code, name, start)
      ? value(quoted(readQuotedValue(code, skipWrapper(code, argument.end))))
      : null;
  if (SETTER_NAME.test(name)) {
    const setter = match(SETTER, code, end);
    if (setter !== null) return value(quoted(readQuotedValue(code, skipWrapper(code, setter.end))));
  }
  const spaced = match(SPACED, code, end);
  if (spaced !== null && (line.startsLine || kind === 'documentation' || kind === 'unknown'))
    return value(quoted(readQuotedValue(code, spaced.end)), line.startsLine);
  if (code[start - 1] === '-' || name.startsWith('-')) {
    const option = match(SPACED_WORD, code, end);
    if (option !== null) return value(bare(readBareValue(code, option.end, 'shell', line)));
    const inQuotes = match(SPACED, code, end);
    if (inQuotes !== null) return value(quoted(readQuotedValue(code, inQuotes.end)));
  }
  const word = match(SPACED_WORD, code, end);
  if (word !== null && (line.startsLine || isDockerLine(code, start)) && isDirective(name, code, start))
    return value(bare(readBareValue(code, word.end, kind, { ...line, startsLine: true })));
  const prose = match(IN_PROSE, code, end);
  if (prose !== null && kind !== 'code') return value(readProse(code, prose.end), false);
  return null;
}

const TUPLE_NAMES =
  /(?:^|[\r\n;{])[ \t]*(?:(?:my|var|let|const|local|val)[ \t]+)?[([]?((?:[$@]?\w{1,40},[ \t]*){1,5})[$@]?$/;

/** `user, password = "mara", "…"`: the value at the place of the name. */
function readTuple(code: string, start: number, operator: { end: number; group: string }): ValueRange | null {
  if (code[start - 1] !== ' ' && code[start - 1] !== ',' && code[start - 1] !== '$') return null;
  if (operator.group !== '=' && operator.group !== ':=') return null;
  const names = TUPLE_NAMES.exec(code.slice(Math.max(0, start - 120), start))?.[1];
  if (names === undefined) return null;
  const open = /[([]/.test(code[operator.end] ?? '') ? 1 : 0;
  return readArguments(code, operator.end + open)[names.split(',').length - 1] ?? null;
}

const PROSE_VALUE = /["'`*]{0,3}([^\s"'`<>,;(){}]{6,128})/y;

/** `the password is k9mZ71-plum.`: only what no word of a sentence looks like. */
function readProse(code: string, at: number): (ValueRange & { isQuoted: boolean }) | null {
  const found = range(PROSE_VALUE, code, at);
  if (found === null) return null;
  const text = code.slice(found.start, found.end).replace(/[.:!?*]+$/, '');
  if (!/\d/.test(text) || !/\p{L}{2}/u.test(text) || /[=:/]/.test(text)) return null;
  return { start: found.start, end: found.start + text.length, isQuoted: false };
}

const SETTER_NAME =
  /(?:^|\.)(?:set|with|add)?_?(?:[A-Za-z]*_?)?(?:password|secret|token|apikey|api_key|passphrase|secretkey|accesskey)$/i;

function readValue(
  code: string,
  at: number,
  kind: TextKind,
  line: { startsLine: boolean; isInString: boolean },
  operator: string,
): (ValueRange & { isQuoted: boolean }) | null {
  const from = skipWrapper(code, skipLineEnd(code, at));
  const inQuotes = readQuotedValue(code, from);
  if (inQuotes !== null) return quoted(inQuotes);
  const block = operator === ':' && kind !== 'code' ? match(YAML_BLOCK, code, at) : null;
  if (block !== null) return bare(readBareValue(code, block.end, 'settings', { ...line, startsLine: true }));
  if (from !== at || /^(?:[!=]=|\|\||\?\?|\?:|or|<-)/.test(operator)) return null;
  if (operator === ':' && kind !== 'settings' && !line.startsLine) return null;
  return bare(readBareValue(code, at, kind, line));
}

const LINE_END = /[ \t]{0,8}(?:\\|\()?\r?\n[ \t]{0,60}(?=\$?[bBrRuUfFL@]{0,2}["'`])/y;
const YAML_BLOCK = /[>|][+-]?[ \t]{0,8}\r?\n[ \t]{1,60}(?=[^\s-])/y;

/** A value on the next line, where formatters put long ones. */
function skipLineEnd(code: string, at: number): number {
  return match(LINE_END, code, at)?.end ?? at;
}

const quoted = (range: ValueRange | null): (ValueRange & { isQuoted: boolean }) | null =>
  range === null ? null : { ...range, isQuoted: true };
const bare = (range: ValueRange | null): (ValueRange & { isQuoted: boolean }) | null =>
  range === null ? null : { ...range, isQuoted: false };

const DEFAULT_VALUE = /-?([^}\n]{1,200})\}/y;
const ELEMENT_TEXT = /([^<\n]{1,512}?)[ \t]{0,8}(?:\]\]>)?<\//y;

/** `${NAME:default}` of Spring, `${NAME:-default}` of shells. */
function readDefault(code: string, at: number): (ValueRange & { isQuoted: boolean }) | null {
  return range(DEFAULT_VALUE, code, at);
}

function readElementText(code: string, at: number): (ValueRange & { isQuoted: boolean }) | null {
  return range(ELEMENT_TEXT, code, at);
}

function range(pattern: RegExp, code: string, at: number): (ValueRange & { isQuoted: boolean }) | null {
  pattern.lastIndex = at;
  const found = pattern.exec(code);
  if (found === null) return null;
  const start = at + found[0].indexOf(found[1]!);
  return { start, end: start + found[1]!.length, isQuoted: true };
}

function match(pattern: RegExp, code: string, at: number): { end: number; text: string; group: string } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(code);
  return found === null ? null : { end: at + found[0].length, text: found[0], group: (found[1] ?? '').trim() };
}

const ESCAPED_LINE_START = /\\n[ \t]*$/;
const LINE_START =
  /(?:^|[\r\n]|\\n)[ \t]*(?:[-*+>] |#+ |export |set |setx |ENV |ARG |#define |local |readonly |declare (?:-\w )?|- |\$env:|\$\{?|--?|["']){0,3}$/i;

function startsLine(code: string, at: number): boolean {
  return LINE_START.test(code.slice(Math.max(0, at - 40), at));
}

/** Before the name stands what separates settings in one string: `host=db;password=`, `?token=`, `"password=`, `host=db password=`. */
function isInString(code: string, at: number): boolean {
  const before = code[at - 1] === ' ' ? at - 1 : at;
  if ('?&;,|"\'`'.includes(code[before - 1] ?? '\n') || code[at] === '-') return true;
  if (before === at) return false;
  const word = code
    .slice(Math.max(0, before - 100), before)
    .split(/\s/)
    .at(-1)!;
  return /\w=.|^(?:-e|--env|--set|--set-string|--build-arg|-v|--var|-var)$/.test(word);
}

function isFirstArgument(code: string, at: number): boolean {
  return /\(\s{0,4}(?:["'](?:String|string)["'],\s{0,4})?\\{0,2}["'`]$/.test(code.slice(Math.max(0, at - 24), at));
}

/** `setopt(handle, USERPWD, "…")`, `put(Context.PASSWORD, "…")`. */
function isConstantArgument(code: string, name: string, at: number): boolean {
  if (!/(?:^|\.)[A-Z][A-Z_\d]+$/.test(name)) return false;
  return /\((?:[$\w>.-]{1,40},\s{0,4})?$/.test(code.slice(Math.max(0, at - 60), at));
}

/** `<string name="token">`, `<property name='…password'>` */
function isNameAttribute(code: string, at: number): boolean {
  if (code[at - 2] !== '=') return false;
  const before = code.slice(Math.max(0, at - 160), at);
  return /^<[\w:.-]{1,40}\s[^<>]{0,120}(?:name|key|id)=["']$/.test(before.slice(before.lastIndexOf('<')));
}

function isDockerLine(code: string, at: number): boolean {
  return /(?:^|\n)[ \t]*ENV[ \t]{1,8}$/i.test(code.slice(Math.max(0, at - 30), at));
}

/** Directives that take their value after a space. */
function isDirective(name: string, code: string, at: number): boolean {
  return /^(?:requirepass|masterauth|sasl_password|rootpw|bindpw|rpcpassword)$/i.test(name) || isDockerLine(code, at);
}

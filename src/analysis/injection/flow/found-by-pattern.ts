import type { CompiledRules } from '../rules/compiled-rules.ts';
import { excludedKinds, isNarrow } from './argument-tests.ts';
import type { EvaluatedCall } from './call-types.ts';
import { patternParts } from './pattern-text.ts';
import { recordValue } from './merge-values.ts';
import { isTainted, listValue, UNKNOWN, type Value, withoutTaint } from './value.ts';

const MATCHERS = /^(?:match|search|fullmatch|findall|finditer)$/;
const GO_MATCHERS = /^Find(?:All)?String(?:Submatch)?$/;

/** What `re.search(pattern, text)` finds in a tainted text, with all its groups as one value. Null: another call. */
export function foundByPattern(rules: CompiledRules, { receiver, args }: EvaluatedCall, name: string): Value | null {
  // `text.scan(/\w+/)` in Ruby.
  const [first] = args;
  if (name === 'scan' && receiver !== null && isTainted(receiver) && first?.value.text != null)
    return part(receiver, first.value.text);
  const isMatcher = GO_MATCHERS.test(name) || (MATCHERS.test(name) && !rules.fullMatchTests.isEmpty);
  if (!isMatcher || receiver === null || isTainted(receiver)) return null;
  const values = args.map(({ value }) => value);
  const text = values.find(isTainted);
  const pattern = [receiver, ...values].find((value) => value !== text && value.text !== null)?.text;
  return text === undefined || pattern == null ? null : part(text, pattern);
}

/** What `pattern.exec(text)` or `text.match(pattern)` finds in a tainted text; null: it is another call. */
export function groupsFound({ receiver, args }: EvaluatedCall, name: string): Value | null {
  const [argument] = args;
  if (receiver === null || argument === undefined || !/^(?:exec|match)$/.test(name)) return null;
  const [pattern, text] = isTainted(receiver) ? [argument.value, receiver] : [receiver, argument.value];
  return pattern.text === null || !isTainted(text) ? null : matchedGroups(pattern.text, text);
}

/** The whole match, then each group, which is harmless where it has no place for arbitrary characters. */
function matchedGroups(pattern: string, text: Value): Value {
  const groups = groupsOf(patternParts(pattern).body);
  const found = groups.map(({ source }) => part(text, source));
  const named = groups.flatMap(({ name }, index) => (name === null ? [] : [[name, found[index]!] as const]));
  const list = listValue([part(text, pattern), ...found]);
  return named.length === 0 ? list : { ...list, fields: new Map([['groups', recordValue(named)]]) };
}

/** What a pattern or a group of it finds: harmless where it has no place for arbitrary characters. */
function part(text: Value, source: string): Value {
  const piece: Value = { ...UNKNOWN, taint: text.taint, hidden: text.hidden, unfollowed: text.unfollowed };
  const { body } = patternParts(source);
  return isNarrow(body) ? withoutTaint(piece, excludedKinds(body)) : piece;
}

/** The groups of a pattern in the order of their opening. */
function groupsOf(pattern: string): { source: string; name: string | null }[] {
  const groups: { source: string; name: string | null }[] = [];
  const open: ({ group: { source: string; name: string | null }; start: number } | null)[] = [];
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at]!;
    if (letter === '\\') at += 1;
    else if (isInClass) isInClass = letter !== ']';
    else if (letter === '[') isInClass = true;
    else if (letter === '(') {
      const name = /^\?P?<(\w+)>/.exec(pattern.slice(at + 1, at + 60));
      const isCapturing = name !== null || pattern[at + 1] !== '?';
      const group = { source: '', name: name?.[1] ?? null };
      if (isCapturing) groups.push(group);
      open.push(isCapturing ? { group, start: at + 1 + (name?.[0].length ?? 0) } : null);
    } else if (letter === ')') {
      const closed = open.pop();
      if (closed != null) closed.group.source = pattern.slice(closed.start, at);
    }
  }
  return groups;
}

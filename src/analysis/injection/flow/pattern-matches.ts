import type { CompiledRules } from '../rules/compiled-rules.ts';
import { isNarrow } from './argument-tests.ts';
import type { EvaluatedCall } from './call-types.ts';
import { isTainted, UNKNOWN, type Value } from './value.ts';

const MATCHERS = /^(?:match|search|fullmatch|findall|finditer)$/;
const GO_MATCHERS = /^Find(?:All)?String(?:Submatch)?$/;

/** What `re.search(pattern, text)` finds in a tainted text: harmless where the pattern has no place for arbitrary characters. Null: another call. */
export function foundByPattern(rules: CompiledRules, { receiver, args }: EvaluatedCall, name: string): Value | null {
  const isMatcher = GO_MATCHERS.test(name) || (MATCHERS.test(name) && !rules.fullMatchTests.isEmpty);
  if (!isMatcher || receiver === null) return null;
  const values = args.map(({ value }) => value);
  const text = values.find(isTainted);
  if (text === undefined || isTainted(receiver)) return null;
  const pattern = [receiver, ...values].find((value) => value !== text && value.text !== null)?.text;
  if (pattern == null) return null;
  const found: Value = { ...UNKNOWN, hidden: text.hidden };
  return isNarrow(pattern) ? found : { ...found, taint: text.taint };
}

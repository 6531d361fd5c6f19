import type { Evaluator } from './evaluator.ts';
import { keyOf } from '../ir/access-path.ts';
import type { Call } from '../ir/ir.ts';
import type { Scope } from './scope.ts';
import { HOLE, isTainted, oneOf, recordValue, UNKNOWN, type Value } from './value.ts';

const PUTS = /^(put|putIfAbsent|set|store|setdefault|Add|TryAdd|setProperty)$/;
const GETS = /^(get|getOrDefault|fetch|elementAt|ElementAt|getProperty)$/;
const REMOVES = /^(remove|removeAt|RemoveAt|delete_at|pop)$/;
const CONTAINER = /(Map|Table|Dictionary|Properties|Hashtable)\b/;
/** Entries whose key is not known. */
const REST = HOLE;

/** What a call that puts something into a container of this text, or takes it out, gives; null where it is no such call. */
export function ofContainer(
  flow: Evaluator,
  call: Call,
  receiver: Value | null,
  args: readonly Value[],
  scope: Scope,
): Value | null {
  const { callee } = call;
  if (receiver === null || callee.op !== 'member') return null;
  const { name, object } = callee;
  const [first, second] = args;
  if (first === undefined) return null;
  const key = first.text === null || first.text.includes(HOLE) ? REST : first.text;
  if (
    PUTS.test(name) &&
    second !== undefined &&
    (receiver.fields !== null || receiver.items?.length === 0 || CONTAINER.test(receiver.typeName ?? ''))
  ) {
    const fields = new Map(receiver.fields);
    fields.set(key, key === REST ? oneOf([second, fields.get(REST) ?? second]) : second);
    flow.bind(object, { ...recordValue([...fields]), typeName: receiver.typeName, paths: receiver.paths }, scope);
    return UNKNOWN;
  }
  if (GETS.test(name) && receiver.fields === null && key !== REST) {
    // `event.get('body')` is `event.body`.
    const [level] = flow.rules.sources.find(receiver.paths.map((path) => `${path}.${key}`));
    if (level !== undefined) return { ...UNKNOWN, taint: flow.newTaint(level, call), direct: true };
  }
  if (GETS.test(name) && receiver.fields !== null) {
    const all = [...receiver.fields.values()];
    if (key === REST) return oneOf(all);
    const set = scope.get(`${keyOf(object)}.${key}`);
    const found = [receiver.fields.get(key), receiver.fields.get(REST), set, ...args.slice(1)].filter(
      (value) => value !== undefined,
    );
    if (found.length > 0) return oneOf(found);
    // What was put in under no key that is known is part of all.
    return all.some(isTainted) ? UNKNOWN : { ...UNKNOWN, taint: receiver.taint };
  }
  if (receiver.items === null || args.length !== 1 || !/^\d{1,6}$/.test(key)) return null;
  const item = receiver.items[Number(key)];
  if (GETS.test(name)) return item ?? null;
  if (!REMOVES.test(name) || item === undefined) return null;
  flow.bind(object, { ...receiver, items: receiver.items.toSpliced(Number(key), 1) }, scope);
  return item;
}

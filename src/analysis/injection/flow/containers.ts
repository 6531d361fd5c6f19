import type { Evaluator } from './evaluator.ts';
import { accessPathOf } from '../ir/access-path.ts';
import type { IrCall } from '../ir/ir.ts';
import type { Scope } from './scope.ts';
import { UNKNOWN_PART, isTainted, mergeValues, recordValue, UNKNOWN, type Value } from './value.ts';

const PUT_METHODS = /^(put|putIfAbsent|set|store|setdefault|Add|TryAdd|setProperty)$/;
const GET_METHODS = /^(get|getOrDefault|fetch|elementAt|ElementAt|getProperty)$/;
const REMOVE_METHODS = /^(remove|removeAt|RemoveAt|delete_at|pop)$/;
const MAP_TYPE = /(Map|Table|Dictionary|Properties|Hashtable)\b/;
/** Entries whose key is not known. */
const UNKNOWN_KEY = UNKNOWN_PART;

/** What a call that puts something into a container of this text, or takes it out, gives; null where it is no such call. */
export function containerCallResult(
  evaluator: Evaluator,
  call: IrCall,
  receiver: Value | null,
  args: readonly Value[],
  scope: Scope,
): Value | null {
  const { callee } = call;
  if (receiver === null || callee.op !== 'member') return null;
  const { name, object } = callee;
  const [first, second] = args;
  if (first === undefined) return null;
  const key = first.text === null || first.text.includes(UNKNOWN_PART) ? UNKNOWN_KEY : first.text;
  if (
    PUT_METHODS.test(name) &&
    second !== undefined &&
    (receiver.fields !== null || receiver.elements?.length === 0 || MAP_TYPE.test(receiver.typeName ?? ''))
  ) {
    const fields = new Map(receiver.fields);
    fields.set(key, key === UNKNOWN_KEY ? mergeValues([second, fields.get(UNKNOWN_KEY) ?? second]) : second);
    evaluator.bind(object, { ...recordValue([...fields]), typeName: receiver.typeName, names: receiver.names }, scope);
    return UNKNOWN;
  }
  if (GET_METHODS.test(name) && receiver.fields === null && key !== UNKNOWN_KEY) {
    // `event.get('body')` is `event.body`.
    const [level] = evaluator.rules.sources.find(receiver.names.map((path) => `${path}.${key}`));
    if (level !== undefined) return { ...UNKNOWN, taint: evaluator.newTaint(level, call), fromSource: true };
  }
  if (GET_METHODS.test(name) && receiver.fields !== null) {
    const all = [...receiver.fields.values()];
    if (key === UNKNOWN_KEY) return mergeValues(all);
    const set = scope.get(`${accessPathOf(object)}.${key}`);
    const found = [receiver.fields.get(key), receiver.fields.get(UNKNOWN_KEY), set, ...args.slice(1)].filter(
      (value) => value !== undefined,
    );
    if (found.length > 0) return mergeValues(found);
    // What was put in under no key that is known is part of all.
    return all.some(isTainted) ? UNKNOWN : { ...UNKNOWN, taint: receiver.taint };
  }
  if (receiver.elements === null || args.length !== 1 || !/^\d{1,6}$/.test(key)) return null;
  const item = receiver.elements[Number(key)];
  if (GET_METHODS.test(name)) return item ?? null;
  if (!REMOVE_METHODS.test(name) || item === undefined) return null;
  evaluator.bind(object, { ...receiver, elements: receiver.elements.toSpliced(Number(key), 1) }, scope);
  return item;
}

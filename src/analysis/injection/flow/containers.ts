import type { EvaluatedCall } from './evaluated-call.ts';
import type { Evaluator } from './evaluator.ts';
import { changeObject } from './assignments.ts';
import { accessPathOf } from '../ir/access-path.ts';
import {
  UNKNOWN_KEY,
  UNKNOWN_PART,
  isTainted,
  listValue,
  mergeValues,
  recordValue,
  UNKNOWN,
  type Value,
} from './value.ts';
import { createTaint } from './source-values.ts';

const PUT_METHODS = /^(put|putIfAbsent|set|store|setdefault|Add|TryAdd|setProperty)$/;
const GET_METHODS = /^(get|getOrDefault|fetch|elementAt|ElementAt|getProperty)$/;
const REMOVE_METHODS = /^(remove|removeAt|RemoveAt|delete_at|pop)$/;
const MAP_TYPE = /(Map|Table|Dictionary|Properties|Hashtable)\b/;

/** The result of a call that puts a value into a container of this code or takes one out; null: it is no such call. */
export function containerResult(
  evaluator: Evaluator,
  { node, receiver, scope }: EvaluatedCall,
  values: readonly Value[],
): Value | null {
  const { callee } = node;
  if (receiver === null || callee.op !== 'member') return null;
  const { name, object } = callee;
  const [first, second] = values;
  if (first === undefined) return null;
  const key = first.text === null || first.text.includes(UNKNOWN_PART) ? UNKNOWN_KEY : first.text;
  if (
    PUT_METHODS.test(name) &&
    second !== undefined &&
    (receiver.fields !== null || receiver.elements?.length === 0 || MAP_TYPE.test(receiver.typeName ?? ''))
  ) {
    const fields = new Map(receiver.fields);
    fields.set(key, key === UNKNOWN_KEY ? mergeValues([second, fields.get(UNKNOWN_KEY) ?? second]) : second);
    const after = { ...recordValue([...fields]), typeName: receiver.typeName, names: receiver.names };
    changeObject(evaluator, object, receiver, after, scope);
    return UNKNOWN;
  }
  if (GET_METHODS.test(name) && receiver.fields === null && key !== UNKNOWN_KEY) {
    // `event.get('body')` is `event.body`.
    const [level] = evaluator.rules.sources.find(receiver.names.map((path) => `${path}.${key}`));
    if (level !== undefined) return { ...UNKNOWN, taint: createTaint(level, node), fromSource: true };
  }
  if (GET_METHODS.test(name) && receiver.fields !== null) {
    const all = [...receiver.fields.values()];
    if (key === UNKNOWN_KEY) return mergeValues(all);
    const set = scope.get(`${accessPathOf(object)}.${key}`);
    const found = [receiver.fields.get(key), receiver.fields.get(UNKNOWN_KEY), set, ...values.slice(1)].filter(
      (value) => value !== undefined,
    );
    if (found.length > 0) return mergeValues(found);
    // Other values may come from what the record was made of.
    return all.some(isTainted) ? UNKNOWN : { ...UNKNOWN, taint: receiver.taint };
  }
  if (receiver.elements === null || values.length !== 1 || !/^\d{1,6}$/.test(key)) return null;
  const item = receiver.elements[Number(key)];
  if (GET_METHODS.test(name)) return item ?? null;
  if (!REMOVE_METHODS.test(name) || item === undefined) return null;
  const rest = {
    ...listValue(receiver.elements.toSpliced(Number(key), 1)),
    typeName: receiver.typeName,
    names: receiver.names,
  };
  changeObject(evaluator, object, receiver, rest, scope);
  return item;
}

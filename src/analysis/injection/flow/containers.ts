import { accessPathOf } from '../ir/access-path.ts';
import { KEY_OF } from '../ir/ir.ts';
import { changeObject } from './assignments.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { ContainerCall } from './container-call.ts';
import type { Evaluator } from './evaluator.ts';
import { keyOf, withField } from './fields.ts';
import { heldResult } from './holders.ts';
import { keyInLoop } from './iteration.ts';
import { recordPartsResult } from './record-keys.ts';
import { listPart, listResult } from './list-methods.ts';
import { mergeValues } from './merge-values.ts';
import { NameTest } from './name-test.ts';
import { copiedRecord, madeRecord, partsOfRecord } from './record-copies.ts';
import { createTaint, elementOf, withoutPlace } from './source-values.ts';
import { isTainted, UNKNOWN, UNKNOWN_KEY, type Value, withIdentity } from './value.ts';

const PUT_METHODS = new NameTest(
  /^(put|putIfAbsent|set|store|setdefault|Add|TryAdd|setProperty|setAttribute|Set|putAll)$/,
);
const GET_METHODS = new NameTest(
  /^(get|getOrDefault|fetch|elementAt|ElementAt|getProperty|GetValueOrDefault|dig|at|getAttribute|Get|charAt)$/,
);
const MAP_TYPE = /(Map|Table|Dictionary|Properties|Hashtable)\b/;

const KEY_FUNCTIONS = /^(?:array_key(?:s|_first|_last)|maps\.Keys)$/;

/** The result of a call that puts a value into a container of this code or takes one out; null: another call. */
export function containerResult(evaluator: Evaluator, call: EvaluatedCall, values: readonly Value[]): Value | null {
  const { receiver, scope, node } = call;
  const { callee } = node;
  const made =
    copiedRecord(call, values) ?? madeRecord(call, values) ?? partsOfRecord(call.callee.names[0] ?? '', values);
  if (made !== null) return made;
  if (receiver !== null && callee.op === 'member') {
    const data = call.args.filter(({ result, name }) => result === null && name !== 'body').map(({ value }) => value);
    const results = call.args.map(({ result }) => result).filter((result) => result !== null);
    const { name, object } = callee;
    return methodResult({
      evaluator,
      scope,
      node,
      name,
      object,
      receiver,
      values: GET_METHODS.test(name) ? data : values,
      results,
    });
  }
  // `array_push($list, $value)`: a function whose first argument is the container.
  const [first, ...rest] = values;
  const container = node.args[0]?.value;
  if (callee.op === 'variable' && callee.name === 'append' && first?.elements != null) {
    return withIdentity({ ...first, ...listPart([...first.elements, ...rest]) });
  }
  if (callee.op === 'variable' && first !== undefined && (callee.name === KEY_OF || KEY_FUNCTIONS.test(callee.name)))
    return keyInLoop(evaluator, first, node, scope);
  if (callee.op !== 'variable' || !callee.name.startsWith('array_') || first === undefined || container === undefined)
    return null;
  return listResult({
    evaluator,
    scope,
    node,
    name: callee.name,
    object: container,
    receiver: first,
    values: rest,
    results: [],
  });
}

/** `map.computeIfAbsent(key, k -> x)`: what is under the key, else what is put there now. Null: another call. */
function addedOnce({ evaluator, scope, name, object, receiver, values, results }: ContainerCall): Value | null {
  const [first] = values;
  const [made] = results;
  const isMap = receiver.fields !== null || MAP_TYPE.test(receiver.typeName ?? '');
  if (first === undefined || made === undefined || !isMap) return null;
  if (!/^(?:computeIfAbsent|GetOrAdd)$/.test(name)) return null;
  const before = receiver.fields?.get(keyOf(first));
  if (before !== undefined) return before;
  changeObject(evaluator, object, receiver, withField(receiver, keyOf(first), made, first), scope);
  return made;
}

function methodResult(call: ContainerCall): Value | null {
  const { evaluator, scope, name, object, receiver, values } = call;
  const [first, second] = values;
  const held = heldResult(call) ?? addedOnce(call) ?? recordPartsResult(call);
  if (held !== null) return held;
  const isList = receiver.elements !== null;
  if (first !== undefined && second !== undefined && PUT_METHODS.test(name)) {
    const path = accessPathOf(object);
    if (path !== null) evaluator.objects.requestFields.note(`${path}.${keyOf(first)}`, second);
    if (isList && receiver.elements.length > 0) return insertedInto(call, first, second);
    if (receiver.fields === null && !isList && !MAP_TYPE.test(receiver.typeName ?? '')) return null;
    const changed = withField({ ...receiver, elements: null }, keyOf(first), second, first);
    changeObject(evaluator, object, receiver, changed, scope);
    return UNKNOWN;
  }
  if (first !== undefined && GET_METHODS.test(name)) {
    const found = foundByKey(call, first, [...values.slice(1), ...call.results]);
    if (found !== null) return found;
  }
  return listResult(call);
}

/** `list.add(0, x)`, `list.set(0, x)`. */
function insertedInto({ evaluator, scope, object, receiver }: ContainerCall, { constant }: Value, value: Value): Value {
  const elements = receiver.elements ?? [];
  const index = typeof constant === 'number' ? constant : elements.length;
  const changed = { ...receiver, ...listPart(elements.toSpliced(index, 0, value)) };
  changeObject(evaluator, object, receiver, changed, scope);
  return UNKNOWN;
}

function foundByKey(
  { evaluator, scope, node, object, receiver }: ContainerCall,
  index: Value,
  defaults: readonly Value[],
): Value | null {
  const { fields, elements } = receiver;
  const key = keyOf(index);
  if (fields === null && elements === null) {
    if (key === UNKNOWN_KEY) return null;
    // `event.get('body')` is `event.body`.
    const [level] = evaluator.rules.sources.find(receiver.names.map((path) => `${path}.${key}`));
    const set = level === undefined ? evaluator.objects.requestFields.get(`${accessPathOf(object)}.${key}`) : undefined;
    if (set !== undefined) return set;
    return level === undefined ? null : { ...UNKNOWN, taint: createTaint(level, node), fromSource: true };
  }
  if (fields === null) {
    return typeof index.constant === 'number' || key === UNKNOWN_KEY
      ? elementOf(evaluator.rules, receiver, index, node)
      : null;
  }
  if (receiver.instanceOf !== null) return null;
  if (key === UNKNOWN_KEY) return withoutPlace(mergeValues([...fields.values(), ...defaults]));
  const set = scope.get(`${accessPathOf(object)}.${key}`);
  const found = [fields.get(key), fields.get(UNKNOWN_KEY), set].filter((value) => value !== undefined);
  if (found.length > 0) return mergeValues(found);
  if (defaults.length > 0) return mergeValues(defaults);
  // Other values may come from what the record was made of.
  return [...fields.values()].some(isTainted) ? UNKNOWN : { ...UNKNOWN, taint: receiver.taint };
}

import { NameTest } from './name-test.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { mergeTaints } from '../taint.ts';
import { changeObject } from './assignments.ts';
import { keyOf, withField } from './fields.ts';
import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import type { Scope } from './scope.ts';
import { createTaint, elementOf, withoutPlace } from './source-values.ts';
import {
  isTainted,
  listValue,
  literalValue,
  mergeValues,
  recordValue,
  UNKNOWN,
  UNKNOWN_KEY,
  withAnyField,
  type Value,
  withIdentity,
} from './value.ts';

const PUT_METHODS = new NameTest(
  /^(put|putIfAbsent|set|store|setdefault|Add|TryAdd|setProperty|setAttribute|Set|putAll)$/,
);
const GET_METHODS = new NameTest(
  /^(get|getOrDefault|fetch|elementAt|ElementAt|getProperty|GetValueOrDefault|dig|at|getAttribute|Get|charAt)$/,
);
const ADD_METHODS = new NameTest(
  /^(add|addLast|append|push|Add|Push|Enqueue|enqueue|offer|offerLast|put|put_nowait|WriteAsync|TryWrite|TryAdd|PushBack|send|<-|array_push|<<|concat|extend|addAll|AddRange)$/,
);
const ADD_FIRST_METHODS = new NameTest(/^(unshift|PushFront|appendleft|addFirst|offerFirst|prepend|array_unshift)$/);
const REMOVE_METHODS = new NameTest(/^(remove|removeAt|RemoveAt|delete_at|pop|splice)$/);
const TAKE_FIRST_METHODS = new NameTest(
  /^(shift|poll|pollFirst|removeFirst|Dequeue|dequeue|deq|popleft|array_shift|getFirst|peek|peekFirst|element|Peek|first|First|get_nowait|Front|take|Take|ReadAsync)$/,
);
const TAKE_LAST_METHODS = new NameTest(/^(pop|pollLast|removeLast|Pop|array_pop|getLast|peekLast|last|Last|Back)$/);
const KEEPING_METHODS = /^(getFirst|getLast|peek|peekFirst|peekLast|element|Peek|first|last|First|Last|Front|Back)$/;
const COPY_METHODS = new NameTest(
  /^(dup|clone|copy|with|merge|to_h|toMap|MemberwiseClone|freeze|asReadOnly|AsReadOnly)$/,
);
const COPY_FUNCTIONS = new NameTest(
  /^(dict|copy|deepcopy|structuredClone|array_merge|array_replace|assign|copyOf|clone|new:(Linked|Tree|Concurrent)?(HashMap|Dictionary|Map|Hashtable))$/,
);
const MAP_TYPE = /(Map|Table|Dictionary|Properties|Hashtable)\b/;
const STACK_TYPE = /(Stack|Deque)\b/;
const QUEUE_TYPE = /Queue\b/;

/** A call on a container: `name` with `values` on `receiver`, which `object` evaluates to. */
interface ContainerCall {
  readonly evaluator: Evaluator;
  readonly scope: Scope;
  readonly node: IrNode;
  readonly name: string;
  readonly object: IrNode;
  readonly receiver: Value;
  readonly values: readonly Value[];
  /** What the callbacks among the arguments return. */
  readonly results: readonly Value[];
}

/** The result of a call that puts a value into a container of this code or takes one out; null: it is no such call. */
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
  if (callee.op === 'variable' && /^array_key(?:s|_first|_last)$/.test(callee.name) && first !== undefined)
    return keysOf(first);
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

/** The keys of an array of PHP: of one that is written in the code they are harmless. */
function keysOf({ fields, elements, taint, hidden, unfollowed }: Value): Value {
  const isWritten = elements !== null || (fields !== null && fields.size > 0 && !fields.has(UNKNOWN_KEY));
  return isWritten ? UNKNOWN : { ...UNKNOWN, taint, hidden, unfollowed };
}

/** A copy of a record, or several records in one; null: the call makes none. */
function copiedRecord({ node, callee, receiver, args }: EvaluatedCall, values: readonly Value[]): Value | null {
  const name = (callee.names[0] ?? '').replace(/^.*\./, '');
  const isMethod =
    receiver?.fields != null && !receiver.isDeclared && node.callee.op === 'member' && COPY_METHODS.test(name);
  if (!isMethod && !COPY_FUNCTIONS.test(name)) return null;
  const parts = [
    ...(isMethod ? [receiver] : []),
    ...values.filter((value) => !(value.fields?.size === 0 && values.length > 1)),
  ];
  const [first] = parts;
  const isMixed = parts.length > 1 && parts.some((part) => part.fields !== null);
  if (first === undefined || (first.fields === null && !isMixed)) return null;
  let fields = new Map(first.fields);
  const named = args
    .filter((argument) => argument.name !== null)
    .map((argument) => [argument.name!, argument.value] as const);
  // Of what has no known fields, each field may come from anywhere in it.
  for (const part of parts) {
    const isOpen = part.fields === null && (isTainted(part) || part.unfollowed !== null);
    if (isOpen && !named.some(([, value]) => value === part)) fields = withAnyField(fields, part);
    if (part !== first) for (const [key, value] of part.fields ?? []) fields.set(key, value);
  }
  for (const [key, value] of named) fields.set(key, value);
  const taint = mergeTaints([...parts.map((part) => part.taint), ...named.map(([, value]) => value.taint)]);
  return withIdentity({ ...first, names: [], fields, taint: first.instanceOf === null ? taint : first.taint });
}

/** `Map.of("a", x, "b", y)`, `Map.ofEntries(Map.entry("a", x))` */
function madeRecord({ callee }: EvaluatedCall, values: readonly Value[]): Value | null {
  const name = /(?:^|\.)(?:Immutable)?(?:Sorted)?Map\.(of|entry|ofEntries)$/.exec(callee.names[0] ?? '')?.[1];
  if (name === undefined) return null;
  if (name === 'ofEntries') {
    return withIdentity(recordValue(values.flatMap(({ fields }) => [...(fields ?? [])])));
  }
  const pairs: [string, Value][] = [];
  for (let at = 0; at + 1 < values.length; at += 2) pairs.push([keyOf(values[at]!), values[at + 1]!]);
  return withIdentity(recordValue(pairs));
}

/** What makes an object that holds one value: of a thread, of a flow of calls, or for several threads. */
export const HOLDER = /(?:^|[.:])(?:Inheritable)?(?:ThreadLocal|AsyncLocal|AtomicReference)(?:\.withInitial)?$/;
const HOLDER_TYPE = /^(?:Inheritable)?(?:ThreadLocal|AsyncLocal|AtomicReference)\b/;

export function holder(value: Value): Value {
  return withIdentity({ ...recordValue([['Value', value]]), typeName: 'ThreadLocal' });
}

/** `set(x)` and `get()` of such an object; null: it is none. */
function heldResult({ evaluator, scope, name, object, receiver, values }: ContainerCall): Value | null {
  const { fields, typeName } = receiver;
  if (fields === null || !HOLDER_TYPE.test(typeName ?? '')) return null;
  const [first] = values;
  if (first !== undefined && /^(?:set|lazySet|getAndSet)$/.test(name))
    changeObject(evaluator, object, receiver, withField(receiver, 'Value', first), scope);
  return name.startsWith('get') ? (fields.get('Value') ?? null) : null;
}

/** `map.computeIfAbsent(key, k -> x)`: what is under the key, else what is put there now. Null: it is no such call. */
function addedOnce({ evaluator, scope, name, object, receiver, values, results }: ContainerCall): Value | null {
  const [first] = values;
  const [made] = results;
  const isMap = receiver.fields !== null || MAP_TYPE.test(receiver.typeName ?? '');
  if (first === undefined || made === undefined || !isMap) return null;
  if (!/^(?:computeIfAbsent|GetOrAdd)$/.test(name)) return null;
  const before = receiver.fields?.get(keyOf(first));
  if (before !== undefined) return before;
  changeObject(evaluator, object, receiver, withField(receiver, keyOf(first), made), scope);
  return made;
}

/** `Object.values(table)` and its kin: the list of what is known of a record or class; null: it is another call, or nothing is known. */
function partsOfRecord(qualifiedName: string, [record]: readonly Value[]): Value | null {
  const part = /^Object\.(keys|values|entries)$/.exec(qualifiedName)?.[1];
  if (part === undefined || record == null) return null;
  // Of a list the values are its elements.
  if (record.fields === null)
    return isTainted(record) || record.elements !== null ? null : { ...UNKNOWN, unfollowed: record.unfollowed };
  const parts = [...record.fields].map(([name, value]) => {
    const key = name === UNKNOWN_KEY ? { ...UNKNOWN, taint: value.taint } : literalValue(name);
    return part === 'keys' ? key : part === 'values' ? value : listValue([key, value]);
  });
  return withIdentity(listValue(parts));
}

/** `new Map([[key, value], ...])`, `Object.fromEntries(...)`: the record of pairs that are written there; null: they are not known. */
export function recordOfPairs(name: string, pairs: Value | undefined): Value | null {
  if (!/(?:^new:(?:Map|WeakMap|ReadonlyMap)|^Object\.fromEntries)$/.test(name) || pairs?.elements == null) return null;
  const entries: (readonly [string | null, Value])[] = [];
  for (const { elements } of pairs.elements) {
    const [key, value] = elements ?? [];
    if (key === undefined || value === undefined) return null;
    entries.push([typeof key.constant === 'string' ? key.constant : null, value]);
  }
  if (entries.length === 0) return null;
  return withIdentity({ ...recordValue(entries), typeName: name.startsWith('new:') ? 'Map' : null });
}

function methodResult(call: ContainerCall): Value | null {
  const { evaluator, scope, name, object, receiver, values } = call;
  const [first, second] = values;
  const held = heldResult(call) ?? addedOnce(call);
  if (held !== null) return held;
  const isList = receiver.elements !== null;
  if (first !== undefined && second !== undefined && PUT_METHODS.test(name)) {
    const path = accessPathOf(object);
    if (path !== null) evaluator.objects.requestFields.note(`${path}.${keyOf(first)}`, second);
    if (isList && receiver.elements.length > 0) return insertedInto(call, first, second);
    if (receiver.fields === null && !isList && !MAP_TYPE.test(receiver.typeName ?? '')) return null;
    changeObject(evaluator, object, receiver, withField({ ...receiver, elements: null }, keyOf(first), second), scope);
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

/** A method of a list, queue or stack. */
function listResult(call: ContainerCall): Value | null {
  const { evaluator, scope, name, object, receiver, values } = call;
  const { elements } = receiver;
  if (elements === null) return addedToUnknown(call);
  const change = (changed: readonly Value[]): void =>
    changeObject(evaluator, object, receiver, { ...receiver, ...listPart(changed) }, scope);
  const variable = object.op === 'variable' || object.op === 'member' ? object.name : null;
  if (variable !== null && values.length > 0 && (ADD_METHODS.test(name) || ADD_FIRST_METHODS.test(name)))
    evaluator.handed.send(
      receiver,
      // The other end of a channel in C#.
      variable === 'Writer' ? 'Reader' : variable,
      evaluator.objects.detached(values[0]!, scope),
      evaluator.top,
    );
  if (values.length > 0 && ADD_FIRST_METHODS.test(name)) {
    change([...values, ...elements]);
    return UNKNOWN;
  }
  if (values.length > 0 && ADD_METHODS.test(name)) {
    const spread = /^(concat|extend|addAll|AddRange)$/.test(name);
    // What is pushed on a stack of Java is taken first.
    if (name === 'push' && STACK_TYPE.test(receiver.typeName ?? '')) change([...values, ...elements]);
    else if (name !== 'concat')
      change([...elements, ...(spread ? values.flatMap((value) => value.elements ?? [value]) : values)]);
    else return null;
    return { ...receiver, ...listPart([...elements, ...values]) };
  }
  const [from, to] = values.map((value) => value.constant);
  if (name === 'slice' && typeof from === 'number' && (to === undefined || typeof to === 'number')) {
    return withIdentity({
      ...receiver,
      ...listPart(elements.slice(from, values.length === 2 && to === undefined ? undefined : to)),
    });
  }
  const position = values.length === 1 ? values[0]!.constant : undefined;
  if (typeof position === 'number' && REMOVE_METHODS.test(name)) {
    const index = position < 0 ? elements.length + position : position;
    change(elements.toSpliced(index, 1));
    return elements[index] ?? UNKNOWN;
  }
  if (/^(?:ReadAllAsync|GetConsumingEnumerable)$/.test(name)) return receiver;
  if (values.length > 0) return null;
  const isStack = STACK_TYPE.test(receiver.typeName ?? '');
  const isQueue = QUEUE_TYPE.test(receiver.typeName ?? '');
  const takesFirst =
    TAKE_FIRST_METHODS.test(name) ||
    (isStack && name === 'pop') ||
    name === 'remove' ||
    (isQueue && /^(?:pop|get|take)$/.test(name));
  if (!takesFirst && !TAKE_LAST_METHODS.test(name)) return null;
  const taken = elements.at(takesFirst ? 0 : -1) ?? UNKNOWN;
  // An element of a list of Go holds its value.
  if (name === 'Front' || name === 'Back') return recordValue([['Value', taken]]);
  // A list whose length is not known exactly keeps its last element.
  if (elements.length > 1 && !KEEPING_METHODS.test(name))
    change(takesFirst ? elements.slice(1) : elements.slice(0, -1));
  return taken;
}

function listPart(elements: readonly Value[]): Pick<Value, 'elements' | 'taint' | 'fields'> {
  const { elements: kept, taint } = listValue(elements);
  return { elements: kept, taint, fields: null };
}

/** A tainted value added to a variable of which nothing is known: what is taken out of it may be the value. */
function addedToUnknown({ evaluator, scope, name, object, receiver, values }: ContainerCall): Value | null {
  const [sent] = values;
  if (name === '<-' && object.op === 'member' && sent !== undefined && receiver.fields === null) {
    // A channel in a field: other methods receive from it.
    const kept = evaluator.objects.detached(sent, scope);
    if (isTainted(kept)) evaluator.bind(object, listValue([kept]), scope);
    return UNKNOWN;
  }
  if (object.op !== 'variable' || values.length !== 1 || receiver.fields !== null || receiver.text !== null)
    return null;
  if (!(ADD_METHODS.test(name) || ADD_FIRST_METHODS.test(name)) || evaluator.rules.trustedNames.test(object.name))
    return null;
  const [added] = values;
  if (!isTainted(added!) || receiver.isDeclared) return null;
  evaluator.bind(object, { ...receiver, taint: mergeTaints([receiver.taint, added!.taint]) }, scope);
  return null;
}

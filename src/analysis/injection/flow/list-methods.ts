import { mergeTaints } from '../taint.ts';
import { changeObject } from './assignments.ts';
import type { ContainerCall } from './container-call.ts';
import { recordValue } from './merge-values.ts';
import { NameTest } from './name-test.ts';
import { isTainted, listValue, UNKNOWN, type Value, withIdentity } from './value.ts';

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

const STACK_TYPE = /(Stack|Deque)\b/;

const QUEUE_TYPE = /Queue\b/;

/** A method of a list, queue or stack. */
export function listResult(call: ContainerCall): Value | null {
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

/** The parts of a value that is a list of these elements. */
export function listPart(elements: readonly Value[]): Pick<Value, 'elements' | 'taint' | 'fields'> {
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

import type { Given } from './call-argument.ts';
import { ofContainer } from './containers.ts';
import type { Evaluator } from './evaluator.ts';
import { factsOf } from './refinements.ts';
import { withoutNumbers } from './format-strings.ts';
import { keyOf } from '../ir/access-path.ts';
import type { Call, Step } from '../ir/ir.ts';
import { routineOf } from './callee.ts';
import type { Scope } from './scope.ts';
import { checkSinks } from './sinks.ts';
import { resultOfUnknown } from './unknown-calls.ts';
import {
  appended,
  isTainted,
  joined,
  KINDS,
  type Kind,
  listValue,
  mergeTaints,
  recordValue,
  UNKNOWN,
  type Value,
  without,
} from './value.ts';

const MAPS = /^(map|flatMap|Select|SelectMany|collect|flat_map|array_map|each_with_index|mapToObj|filter_map)$/;
const FILTERS = /^(filter|Where|select|reject|find|detect|array_filter|findFirst|takeWhile|FirstOrDefault|First)$/;
/** What a method of a parameter gives that is still the caller's choice. */
const TAKEN =
  /^(get|to|trim|strip|lower|upper|sub|slice|split|replace|concat|format|encode|decode|value|name|text|string|normalize|join|first|last|pop|shift|at|file_?name|original|path|params|query|body|read|content|data|fetch|dig|values|keys|iterator|next|chomp|downcase|upcase)/i;
const VALIDATES = /^(validate|assert|ensure|verify)([A-Z_]|$)/;

export function evaluateCall(flow: Evaluator, call: Call, scope: Scope): Value {
  const { callee } = call;
  const receiver = callee.op === 'member' ? receiverValue(flow, callee.object, scope) : null;
  const called =
    callee.op === 'member' && receiver !== null
      ? flow.memberOf(receiver, callee.name, callee)
      : flow.evaluate(callee, scope);
  const given = argumentsOf(flow, call, called, receiver, scope);
  if (call.tagged) return { ...UNKNOWN, paths: ['#tagged'] };
  checkSinks(flow, call, called, receiver, given);
  const { rules } = flow;
  if (rules.exits.has(called.paths)) scope.exited ??= 'routine';
  fillOutputArguments(flow, call, called, receiver, given, scope);
  const result = resultOf(flow, call, called, receiver, given, scope);
  const paths = result.paths.length > 0 && result.fixed ? result.paths : called.paths.map((path) => `${path}()`);
  return { ...result, paths };
}

/** A name without a meaning is more likely a package than data where something of it is called. */
function receiverValue(flow: Evaluator, step: Step, scope: Scope): Value {
  const value = flow.evaluate(step, scope);
  return step.op === 'name' && value.taint.sql?.level === 'free' ? without(value, KINDS) : value;
}

function argumentsOf(flow: Evaluator, call: Call, called: Value, receiver: Value | null, scope: Scope): Given[] {
  const handler = flow.rules.handlers.has(called.paths);
  const defined = flow.rules.definers.has(called.paths);
  return call.args.map(({ name, value: step }) => {
    if (step.op !== 'routine') return { name, step, value: flow.evaluate(step, scope), result: null };
    const value: Value = { ...UNKNOWN, routine: step, fixed: true };
    const element = receiver === null ? UNKNOWN : flow.elementOf(receiver, UNKNOWN, step);
    const passed = isTainted(element) && element.taint.sql?.level !== 'free' ? [{ ...element, direct: false }] : [];
    const typed = step.parameters.map(
      (parameter, at) => passed[at] ?? callbackValue(parameter.target, parameter.type, at),
    );
    const result = flow.enter(step, handler ? 'request' : defined ? 'parameter' : typed, scope);
    return { name, step, value, result };
  });
}

/** What a callback is given is not known to be anybody's choice, but goes by its name and type. */
function callbackValue(target: Step, type: string | null, at: number): Value {
  if (target.op === 'record' && at === 0) return { ...UNKNOWN, paths: ['req'] };
  const named = target.op === 'name' ? [target.name] : [];
  return { ...UNKNOWN, typeName: type, paths: type === null ? named : [...named, type] };
}

function resultOf(
  flow: Evaluator,
  call: Call,
  called: Value,
  receiver: Value | null,
  given: readonly Given[],
  scope: Scope,
): Value {
  const { rules } = flow;
  const { paths } = called;
  // An imported function is no method of a value.
  const methods = !called.fixed || call.callee.op !== 'name';
  const args = given.filter(({ name }) => name !== 'body').map(({ value }) => value);
  const name = lastSegment(paths[0] ?? '');
  const [first] = args;
  if ((paths[0] === 'require' || paths[0] === 'import') && first?.text != null) return flow.moduleValue(first.text);
  const checked = sanitized(rules.sanitizers.find(paths), args, receiver);
  if (checked !== null) {
    const source = rules.escapes.has(paths) ? args.find(isTainted)?.taint.sql : undefined;
    return source === undefined ? checked : { ...checked, escaped: source };
  }
  if (rules.numbers.has(paths, methods) || isNumericBy(flow, args)) return UNKNOWN;
  const callback = given.find(({ result }) => result !== null)?.result ?? null;
  if (callback !== null && MAPS.test(name)) return listValue([callback]);
  if (callback !== null && FILTERS.test(name)) return filtered(flow, given, receiver, scope);
  if (MAPS.test(name) && args.some((value) => makesHarmless(flow, value))) return UNKNOWN;
  if (called.direct && isTainted(called) && !rules.replacers.has(paths, methods))
    return takenFrom(flow, call, called, name);
  const held = ofContainer(flow, call, receiver, args, scope);
  if (held !== null) return held;
  if (rules.mutators.has(paths, methods) && receiver !== null) return mutate(flow, call, receiver, args, scope);
  if (rules.lists.has(paths, methods)) return args.length === 1 && first?.items != null ? first : listValue(args);
  if (rules.replacers.has(paths, methods)) return replaced(args, receiver);
  if (rules.normalizers.has(paths, methods)) return normalized(call, given, receiver);
  if (rules.relatives.has(paths, methods)) return { ...joined(spread(args)), normal: true, about: accessPathsOf(given) };
  if (rules.builders.has(paths, methods)) {
    const [format, ...values] = args;
    const formats = format !== undefined && /printf$|^format$|^Format$/i.test(name);
    return joined(dataOperands(formats ? [format, ...withoutNumbers(format, spread(values))] : args, receiver));
  }
  if (rules.carriers.has(paths, methods) && args.length === 0 && receiver?.items != null) return receiver;
  if (rules.carriers.has(paths, methods))
    return { ...carried(dataOperands(args, receiver)), about: aboutReceiver(call, receiver) };
  const routine = routineOf(flow, call, called, receiver);
  const followed = routine === null ? null : flow.callInto(routine, args);
  if (followed !== null) return followed;
  if (name.startsWith('new:')) {
    const object = made(name, given);
    const { taint } = resultOfUnknown(flow, call, called, receiver, given);
    return { ...object, taint: mergeTaints([object.taint, taint]) };
  }
  if (VALIDATES.test(name)) for (const key of accessPathsOf(given)) markSafe(key, scope);
  if (isTainted(called) && called.taint.sql?.level !== 'free') return takenFrom(flow, call, called, name);
  // A promise, a wrapper: `promisify(exec)` is still what it was.
  if (first?.fixed === true && args.length === 1 && first.paths.length > 0) return first;
  return resultOfUnknown(flow, call, called, receiver, given);
}

function isNumericBy({ rules }: Evaluator, args: readonly Value[]): boolean {
  return args.some(({ paths }) => paths[0] !== undefined && rules.numericOption?.test(paths[0]) === true);
}

/** `json.Unmarshal(body, &order)`: what is read goes into the names among the arguments. */
function fillOutputArguments(
  flow: Evaluator,
  call: Call,
  called: Value,
  receiver: Value | null,
  given: readonly Given[],
  scope: Scope,
): void {
  const [level] = flow.rules.fills.find(called.paths);
  if (level === undefined) return;
  const from = joined([...(receiver === null ? [] : [receiver]), ...given.map(({ value }) => value)], false);
  const taint = level === 'given' ? from.taint : flow.newTaint(level, call);
  if (taint.sql === undefined) return;
  for (const { step, value } of given) {
    if (step.op === 'name' && !isTainted(value)) scope.set(step.name, { ...value, taint });
  }
}

/** A function that is handed over by name: `array_map('intval', $ids)`, `ids.map(Number)`. */
function makesHarmless({ rules }: Evaluator, { text, paths }: Value): boolean {
  const names = text === null ? paths : [text, `#.${text}`];
  return rules.sanitizers.find(names).some((kinds) => kinds.length === KINDS.length);
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function sanitized(found: readonly (readonly Kind[])[], args: readonly Value[], receiver: Value | null): Value | null {
  const [kinds] = found;
  if (kinds === undefined) return null;
  if (kinds.length === KINDS.length) return UNKNOWN;
  const value = [...args, ...(receiver === null ? [] : [receiver])].find(isTainted);
  return value === undefined ? UNKNOWN : { ...without(value, kinds), paths: [] };
}

function mutate(flow: Evaluator, call: Call, receiver: Value, args: readonly Value[], scope: Scope): Value {
  const after = appended(receiver, args);
  let target = call.callee.op === 'member' ? call.callee.object : call.callee;
  while (target.op === 'call' && target.callee.op === 'member') target = target.callee.object;
  if (target.op === 'name' || target.op === 'member') flow.bind(target, { ...after, paths: receiver.paths }, scope);
  return after;
}

/** A pattern for all but letters, digits, `_` and `-`: what is left when that is taken away can do nothing. */
function keepsOnlyPlain(pattern: string): boolean {
  const kept = /^\/?\[\^([\w\\-]+)\]\+?(?:\/[a-z]*)?$/.exec(pattern)?.[1];
  if (kept === undefined || /\\(?![wd-])/.test(kept)) return false;
  // `A-z` takes in what stands between the cases.
  const ranges = kept.matchAll(/([^\\])-([^\\])/g);
  return [...ranges].every(([range]) => /^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)$/.test(range));
}

function replaced(args: readonly Value[], receiver: Value | null): Value {
  const all = dataOperands(args, receiver);
  return all.some(({ text }) => text !== null && keepsOnlyPlain(text)) ? UNKNOWN : carried(all);
}

function normalized({ callee }: Call, given: readonly Given[], receiver: Value | null): Value {
  const values = given.map(({ value }) => value);
  const all = dataOperands(values, receiver);
  const value = joined(all);
  // From the root there is nowhere to climb to.
  const own = callee.op === 'member' && receiver !== null && isTainted(receiver) ? keyOf(callee.object) : null;
  const rooted = all.length === 1 && value.text?.startsWith('/\0') === true;
  return {
    ...(rooted ? without(value, ['path']) : value),
    normal: true,
    about: [...accessPathsOf(given), ...(own === null ? [] : [own])],
  };
}

/** What a test of a part of a resolved path is about: `file.getPath().startsWith(folder)`. */
function aboutReceiver({ callee }: Call, receiver: Value | null): string[] {
  if (receiver?.normal !== true || callee.op !== 'member') return [];
  const own = keyOf(callee.object);
  return [...receiver.about, ...(own === null ? [] : [own])];
}

function carried(values: readonly Value[]): Value {
  const value = joined(values, false);
  return { ...value, normal: values.some(({ normal }) => normal), items: null };
}

/** Receiver and arguments, as far as they are data: the `path` of `path.join` is none. */
function dataOperands(args: readonly Value[], receiver: Value | null): Value[] {
  const data = receiver !== null && (isTainted(receiver) || receiver.text !== null || receiver.items !== null);
  return spread(data ? [receiver, ...args] : [...args]);
}

function spread(values: readonly Value[]): Value[] {
  return values.flatMap((value) =>
    value.items === null ? [value] : value.items.length === 0 ? [value] : [...value.items],
  );
}

function made(name: string, given: readonly Given[]): Value {
  const fields = given.filter((one) => one.name !== null).map(({ name, value }) => [name, value] as const);
  const plain: Value = { ...UNKNOWN, typeName: name.slice(4) };
  return fields.length === 0 ? plain : { ...recordValue(fields), typeName: name.slice(4) };
}

function filtered(flow: Evaluator, given: readonly Given[], receiver: Value | null, scope: Scope): Value {
  if (receiver === null) return given.find(({ result }) => result === null)?.value ?? UNKNOWN;
  const test = given.find(({ step }) => step.op === 'routine')?.step;
  const target = test?.op === 'routine' ? test.parameters[0]?.target : undefined;
  if (test?.op !== 'routine' || target?.op !== 'name' || !isTainted(receiver)) return receiver;
  const inner = scope.branch();
  inner.set(target.name, receiver);
  const facts = factsOf(flow, test.body.op === 'exit' ? test.body.value : test.body, inner);
  const proven = facts.yes.filter(({ key }) => key === target.name).flatMap(({ kinds }) => kinds);
  return without(receiver, proven);
}

function accessPathsOf(given: readonly Given[]): string[] {
  return given
    .flatMap(({ step }) => (step.op === 'list' ? step.items : [step]))
    .map(keyOf)
    .filter((key) => key !== null);
}

function markSafe(key: string, scope: Scope): void {
  const known = scope.get(key);
  scope.set(key, known === undefined ? { ...UNKNOWN, paths: [key] } : without(known, KINDS));
}

function takenFrom(flow: Evaluator, call: Call, called: Value, name: string): Value {
  const level = (called.taint.sql ?? called.taint.command ?? called.taint.path)?.level;
  if (level === undefined || level === 'free') return UNKNOWN;
  if (level === 'parameter' && !TAKEN.test(name)) return UNKNOWN;
  const taint = called.direct ? flow.newTaint(level, call) : called.taint;
  return { ...UNKNOWN, taint, direct: called.direct, built: called.built, items: null };
}

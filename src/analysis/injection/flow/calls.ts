import type { CallArgument } from './call-argument.ts';
import { containerCallResult } from './containers.ts';
import type { Evaluator } from './evaluator.ts';
import { refinementOf } from './refinements.ts';
import { withoutNumericArguments } from './format-strings.ts';
import { accessPathOf } from '../ir/access-path.ts';
import type { IrCall, IrNode } from '../ir/ir.ts';
import { calleeFunction } from './callee.ts';
import type { Scope } from './scope.ts';
import { checkSinks } from './sinks.ts';
import { unknownCallResult } from './unknown-calls.ts';
import {
  appendValues,
  isTainted,
  concatValues,
  listValue,
  recordValue,
  UNKNOWN,
  type Value,
  withoutTaint,
} from './value.ts';
import { INJECTION_KINDS, type InjectionKind, mergeTaints } from '../taint.ts';

const MAP_FUNCTIONS =
  /^(map|flatMap|Select|SelectMany|collect|flat_map|array_map|each_with_index|mapToObj|filter_map)$/;
const FILTER_FUNCTIONS =
  /^(filter|Where|select|reject|find|detect|array_filter|findFirst|takeWhile|FirstOrDefault|First)$/;
/** What a method of a parameter gives that is still the caller's choice. */
const ACCESSOR =
  /^(get|to|trim|strip|lower|upper|sub|slice|split|replace|concat|format|encode|decode|value|name|text|string|normalize|join|first|last|pop|shift|at|file_?name|original|path|params|query|body|read|content|data|fetch|dig|values|keys|iterator|next|chomp|downcase|upcase)/i;
const VALIDATION_FUNCTION = /^(validate|assert|ensure|verify)([A-Z_]|$)/;

export function evaluateCall(evaluator: Evaluator, call: IrCall, scope: Scope): Value {
  const { callee } = call;
  const receiver = callee.op === 'member' ? receiverValue(evaluator, callee.object, scope) : null;
  const called =
    callee.op === 'member' && receiver !== null
      ? evaluator.memberOf(receiver, callee.name, callee)
      : evaluator.evaluate(callee, scope);
  const callArguments = argumentsOf(evaluator, call, called, receiver, scope);
  if (call.isTagged) return { ...UNKNOWN, names: ['#tagged'] };
  checkSinks(evaluator, call, called, receiver, callArguments);
  const { rules } = evaluator;
  if (rules.terminators.has(called.names)) scope.exited ??= 'function';
  fillOutputArguments(evaluator, call, called, receiver, callArguments, scope);
  const result = resultOf(evaluator, call, called, receiver, callArguments, scope);
  const names = result.names.length > 0 && result.isDeclared ? result.names : called.names.map((path) => `${path}()`);
  return { ...result, names };
}

/** A name without a meaning is more likely a package than data where something of it is called. */
function receiverValue(evaluator: Evaluator, node: IrNode, scope: Scope): Value {
  const value = evaluator.evaluate(node, scope);
  return node.op === 'variable' && value.taint.sql?.level === 'free' ? withoutTaint(value, INJECTION_KINDS) : value;
}

function argumentsOf(
  evaluator: Evaluator,
  call: IrCall,
  called: Value,
  receiver: Value | null,
  scope: Scope,
): CallArgument[] {
  const handler = evaluator.rules.requestHandlers.has(called.names);
  const defined = evaluator.rules.functionDefiners.has(called.names);
  return call.args.map(({ name, value: node }) => {
    if (node.op !== 'function') return { name, node, value: evaluator.evaluate(node, scope), result: null };
    const value: Value = { ...UNKNOWN, fn: node, isDeclared: true };
    const element = receiver === null ? UNKNOWN : evaluator.elementOf(receiver, UNKNOWN, node);
    const passed = isTainted(element) && element.taint.sql?.level !== 'free' ? [{ ...element, fromSource: false }] : [];
    const typed = node.parameters.map(
      (parameter, at) => passed[at] ?? callbackValue(parameter.target, parameter.type, at),
    );
    const result = evaluator.evaluateFunction(node, handler ? 'request' : defined ? 'parameter' : typed, scope);
    return { name, node, value, result };
  });
}

/** What a callback is given is not known to be anybody's choice, but goes by its name and type. */
function callbackValue(target: IrNode, type: string | null, at: number): Value {
  if (target.op === 'record' && at === 0) return { ...UNKNOWN, names: ['req'] };
  const named = target.op === 'variable' ? [target.name] : [];
  return { ...UNKNOWN, typeName: type, names: type === null ? named : [...named, type] };
}

function resultOf(
  evaluator: Evaluator,
  call: IrCall,
  called: Value,
  receiver: Value | null,
  callArguments: readonly CallArgument[],
  scope: Scope,
): Value {
  const { rules } = evaluator;
  const { names } = called;
  // An imported function is no method of a value.
  const methods = !called.isDeclared || call.callee.op !== 'variable';
  const args = callArguments.filter(({ name }) => name !== 'body').map(({ value }) => value);
  const name = lastSegment(names[0] ?? '');
  const [first] = args;
  if ((names[0] === 'require' || names[0] === 'import') && first?.text != null)
    return evaluator.moduleValue(first.text);
  const checked = sanitized(rules.sanitizers.find(names), args, receiver);
  if (checked !== null) {
    const source = rules.quoteEscapers.has(names) ? args.find(isTainted)?.taint.sql : undefined;
    return source === undefined ? checked : { ...checked, escapedSource: source };
  }
  if (rules.scalarResults.has(names, methods) || hasNumericOption(evaluator, args)) return UNKNOWN;
  const callback = callArguments.find(({ result }) => result !== null)?.result ?? null;
  if (callback !== null && MAP_FUNCTIONS.test(name)) return listValue([callback]);
  if (callback !== null && FILTER_FUNCTIONS.test(name)) return filtered(evaluator, callArguments, receiver, scope);
  if (MAP_FUNCTIONS.test(name) && args.some((value) => isSanitizerReference(evaluator, value))) return UNKNOWN;
  if (called.fromSource && isTainted(called) && !rules.patternReplacers.has(names, methods))
    return resultOfTaintedReceiver(evaluator, call, called, name);
  const held = containerCallResult(evaluator, call, receiver, args, scope);
  if (held !== null) return held;
  if (rules.appenders.has(names, methods) && receiver !== null)
    return appendToReceiver(evaluator, call, receiver, args, scope);
  if (rules.listConstructors.has(names, methods))
    return args.length === 1 && first?.elements != null ? first : listValue(args);
  if (rules.patternReplacers.has(names, methods)) return patternReplaced(args, receiver);
  if (rules.pathNormalizers.has(names, methods)) return normalized(call, callArguments, receiver);
  if (rules.relativePaths.has(names, methods))
    return { ...concatValues(flattenLists(args)), isNormalizedPath: true, refines: accessPathsOf(callArguments) };
  if (rules.concatenators.has(names, methods)) {
    const [format, ...values] = args;
    const formats = format !== undefined && /printf$|^format$|^Format$/i.test(name);
    return concatValues(
      dataOperands(formats ? [format, ...withoutNumericArguments(format, flattenLists(values))] : args, receiver),
    );
  }
  if (rules.propagators.has(names, methods) && args.length === 0 && receiver?.elements != null) return receiver;
  if (rules.propagators.has(names, methods))
    return { ...propagated(dataOperands(args, receiver)), refines: aboutReceiver(call, receiver) };
  const fn = calleeFunction(evaluator, call, called, receiver);
  const followed = fn === null ? null : evaluator.followCall(fn, args);
  if (followed !== null) return followed;
  if (name.startsWith('new:')) {
    const object = constructed(name, callArguments);
    const { taint } = unknownCallResult(evaluator, call, called, receiver, callArguments);
    return { ...object, taint: mergeTaints([object.taint, taint]) };
  }
  if (VALIDATION_FUNCTION.test(name)) for (const key of accessPathsOf(callArguments)) markSafe(key, scope);
  if (isTainted(called) && called.taint.sql?.level !== 'free')
    return resultOfTaintedReceiver(evaluator, call, called, name);
  // A promise, a wrapper: `promisify(exec)` is still what it was.
  if (first?.isDeclared === true && args.length === 1 && first.names.length > 0) return first;
  return unknownCallResult(evaluator, call, called, receiver, callArguments);
}

function hasNumericOption({ rules }: Evaluator, args: readonly Value[]): boolean {
  return args.some(({ names }) => names[0] !== undefined && rules.numericOption?.test(names[0]) === true);
}

/** `json.Unmarshal(body, &order)`: what is read goes into the names among the arguments. */
function fillOutputArguments(
  evaluator: Evaluator,
  call: IrCall,
  called: Value,
  receiver: Value | null,
  callArguments: readonly CallArgument[],
  scope: Scope,
): void {
  const [level] = evaluator.rules.outputArguments.find(called.names);
  if (level === undefined) return;
  const from = concatValues(
    [...(receiver === null ? [] : [receiver]), ...callArguments.map(({ value }) => value)],
    false,
  );
  const taint = level === 'arguments' ? from.taint : evaluator.newTaint(level, call);
  if (taint.sql === undefined) return;
  for (const { node, value } of callArguments) {
    if (node.op === 'variable' && !isTainted(value)) scope.set(node.name, { ...value, taint });
  }
}

/** A function that is handed over by name: `array_map('intval', $ids)`, `ids.map(Number)`. */
function isSanitizerReference({ rules }: Evaluator, { text, names }: Value): boolean {
  const found = rules.sanitizers.find(text === null ? names : [text, `#.${text}`]);
  return found.some((kinds) => kinds.length === INJECTION_KINDS.length);
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function sanitized(
  found: readonly (readonly InjectionKind[])[],
  args: readonly Value[],
  receiver: Value | null,
): Value | null {
  const [kinds] = found;
  if (kinds === undefined) return null;
  if (kinds.length === INJECTION_KINDS.length) return UNKNOWN;
  const value = [...args, ...(receiver === null ? [] : [receiver])].find(isTainted);
  return value === undefined ? UNKNOWN : { ...withoutTaint(value, kinds), names: [] };
}

function appendToReceiver(
  evaluator: Evaluator,
  call: IrCall,
  receiver: Value,
  args: readonly Value[],
  scope: Scope,
): Value {
  const after = appendValues(receiver, args);
  let target = call.callee.op === 'member' ? call.callee.object : call.callee;
  while (target.op === 'call' && target.callee.op === 'member') target = target.callee.object;
  if (target.op === 'variable' || target.op === 'member')
    evaluator.bind(target, { ...after, names: receiver.names }, scope);
  return after;
}

/** A pattern for all but letters, digits, `_` and `-`: what is left when that is taken away can do nothing. */
function keepsOnlyWordCharacters(pattern: string): boolean {
  const kept = /^\/?\[\^([\w\\-]+)\]\+?(?:\/[a-z]*)?$/.exec(pattern)?.[1];
  if (kept === undefined || /\\(?![wd-])/.test(kept)) return false;
  // `A-z` takes in what stands between the cases.
  const ranges = kept.matchAll(/([^\\])-([^\\])/g);
  return [...ranges].every(([range]) => /^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)$/.test(range));
}

function patternReplaced(args: readonly Value[], receiver: Value | null): Value {
  const all = dataOperands(args, receiver);
  return all.some(({ text }) => text !== null && keepsOnlyWordCharacters(text)) ? UNKNOWN : propagated(all);
}

function normalized({ callee }: IrCall, callArguments: readonly CallArgument[], receiver: Value | null): Value {
  const values = callArguments.map(({ value }) => value);
  const all = dataOperands(values, receiver);
  const value = concatValues(all);
  // From the root there is nowhere to climb to.
  const own = callee.op === 'member' && receiver !== null && isTainted(receiver) ? accessPathOf(callee.object) : null;
  const rooted = all.length === 1 && value.text?.startsWith('/\0') === true;
  return {
    ...(rooted ? withoutTaint(value, ['path']) : value),
    isNormalizedPath: true,
    refines: [...accessPathsOf(callArguments), ...(own === null ? [] : [own])],
  };
}

/** What a test of a part of a resolved path is about: `file.getPath().startsWith(folder)`. */
function aboutReceiver({ callee }: IrCall, receiver: Value | null): string[] {
  if (receiver?.isNormalizedPath !== true || callee.op !== 'member') return [];
  const own = accessPathOf(callee.object);
  return [...receiver.refines, ...(own === null ? [] : [own])];
}

function propagated(values: readonly Value[]): Value {
  const value = concatValues(values, false);
  return { ...value, isNormalizedPath: values.some(({ isNormalizedPath }) => isNormalizedPath), elements: null };
}

/** Receiver and arguments, as far as they are data: the `path` of `path.join` is none. */
function dataOperands(args: readonly Value[], receiver: Value | null): Value[] {
  const data = receiver !== null && (isTainted(receiver) || receiver.text !== null || receiver.elements !== null);
  return flattenLists(data ? [receiver, ...args] : [...args]);
}

function flattenLists(values: readonly Value[]): Value[] {
  return values.flatMap((value) =>
    value.elements === null ? [value] : value.elements.length === 0 ? [value] : [...value.elements],
  );
}

function constructed(name: string, callArguments: readonly CallArgument[]): Value {
  const fields = callArguments.filter((one) => one.name !== null).map(({ name, value }) => [name, value] as const);
  const plain: Value = { ...UNKNOWN, typeName: name.slice(4) };
  return fields.length === 0 ? plain : { ...recordValue(fields), typeName: name.slice(4) };
}

function filtered(
  evaluator: Evaluator,
  callArguments: readonly CallArgument[],
  receiver: Value | null,
  scope: Scope,
): Value {
  if (receiver === null) return callArguments.find(({ result }) => result === null)?.value ?? UNKNOWN;
  const test = callArguments.find(({ node }) => node.op === 'function')?.node;
  const target = test?.op === 'function' ? test.parameters[0]?.target : undefined;
  if (test?.op !== 'function' || target?.op !== 'variable' || !isTainted(receiver)) return receiver;
  const inner = scope.branch();
  inner.set(target.name, receiver);
  const refinement = refinementOf(evaluator, test.body.op === 'jump' ? test.body.value : test.body, inner);
  const proven = refinement.whenTrue.filter(({ path }) => path === target.name).flatMap(({ kinds }) => kinds);
  return withoutTaint(receiver, proven);
}

function accessPathsOf(callArguments: readonly CallArgument[]): string[] {
  return callArguments
    .flatMap(({ node }) => (node.op === 'list' ? node.elements : [node]))
    .map(accessPathOf)
    .filter((key) => key !== null);
}

function markSafe(key: string, scope: Scope): void {
  const known = scope.get(key);
  scope.set(key, known === undefined ? { ...UNKNOWN, names: [key] } : withoutTaint(known, INJECTION_KINDS));
}

function resultOfTaintedReceiver(evaluator: Evaluator, call: IrCall, called: Value, name: string): Value {
  const level = (called.taint.sql ?? called.taint.command ?? called.taint.path)?.level;
  if (level === undefined || level === 'free') return UNKNOWN;
  if (level === 'parameter' && !ACCESSOR.test(name)) return UNKNOWN;
  const taint = called.fromSource ? evaluator.newTaint(level, call) : called.taint;
  return { ...UNKNOWN, taint, fromSource: called.fromSource, isBuilt: called.isBuilt, elements: null };
}

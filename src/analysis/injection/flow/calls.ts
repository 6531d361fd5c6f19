import type { IrCall, IrClass, IrNode } from '../ir/ir.ts';
import { INJECTION_KINDS, mergeTaints, NO_TAINT } from '../taint.ts';
import { currentSelf } from './accesses.ts';
import { typedValue } from './assignments.ts';
import { callResult, MESSAGE_FIELDS } from './call-results.ts';
import { callbackParameter, functionArguments, matchedArguments, reducedArguments } from './callback-arguments.ts';
import { isCertainlyPassed, passedValues } from './callback-values.ts';
import type { CallArgument, CallTarget, EvaluatedCall, RouteSchemas } from './call-types.ts';
import { declareInputs } from './declared-inputs.ts';
import { callTargets } from './evaluated-call.ts';
import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import { checkedSchemas, fieldSchemas, routeSchemas } from './route-schemas.ts';
import { reportTaggedCommand, reportTaintedSinks } from './sinks.ts';
import { concatValues, isTainted, mergeValues, UNKNOWN, type Value, withIdentity, withoutTaint } from './value.ts';
import { asRequestGetter, elementOf, memberOf, createTaint } from './source-values.ts';

/** Tags that leave the text as it is, but for its spaces. */
const TEXT_TAG = /(?:^|\.)(?:String\.raw|dedent|outdent|stripIndents?|oneLine|trimIndent)$/;
/** The name of the function that settles a promise. */
const SETTLES = '#settles';

/** Evaluates callee and arguments, reports the sinks that the call is, and returns the value of the result. */
export function evaluateCall(evaluator: Evaluator, node: IrCall, scope: Scope): Value {
  const { rules } = evaluator;
  if (declareInputs(evaluator, node, scope)) return UNKNOWN;
  const receiver = node.callee.op === 'member' ? receiverValue(evaluator, node.callee.object, scope) : null;
  const callee =
    node.callee.op === 'member' && receiver !== null
      ? asRequestGetter(rules, memberOf(rules, receiver, node.callee.name, node.callee), node)
      : evaluator.evaluate(node.callee, scope);
  const count = node.args.filter(({ name }) => name === null).length;
  const targets = callTargets(evaluator, { node, callee, receiver, scope }, count);
  const args = evaluateArguments(evaluator, node, callee, receiver, scope, targets.length > 0);
  const call: EvaluatedCall = { node, callee, receiver, args, scope };
  if (node.isTagged) {
    reportTaggedCommand(evaluator, call);
    const text = TEXT_TAG.test(callee.names[0] ?? '') ? args[0]?.value : undefined;
    return { ...(text ?? UNKNOWN), names: ['#tagged'] };
  }
  const holdsTaint = (value: Value): boolean =>
    isTainted(value) || value.instanceOf !== null || value.fn !== null || value.unfollowed !== null;
  evaluator.markHarmless(
    node,
    !(holdsTaint(callee) || args.some(({ value }) => holdsTaint(value))) &&
      (receiver === null || !holdsTaint(receiver)),
  );
  if (callee.names.includes(SETTLES) && callee.identity !== null) {
    const [settled] = args;
    if (settled !== undefined)
      scope.setObject(callee.identity, mergeValues([settled.value, { ...scope.objectOf(callee.identity), names: [] }]));
    return UNKNOWN;
  }
  const owner = targets.length > 0 ? null : constructedClass(evaluator, call);
  if (owner?.isEnum === true) return UNKNOWN;
  if (owner !== null) return { ...evaluator.objects.construct(owner, args, scope), names: constructorNames(callee) };
  const runs = targets.length > 0 ? args.map(({ value }) => evaluator.functions.runsOf(value.fn)) : [];
  if (targets.length > 0) {
    const followed = evaluator.functions.follow(...withPassedSelf(targets, args), scope);
    if (followed !== null) runUncalled(evaluator, node, args, runs, scope);
    if (followed !== null)
      return { ...followed, names: [...callee.names.map((name) => `${name}()`), ...followed.names].slice(0, 4) };
  }
  if (targets.length === 0 && isConstructorOfAbove(node)) keepMessage(evaluator, args, scope);
  runUncalled(evaluator, node, args, runs, scope);
  const held = targets.length > 0 ? NO_TAINT : reportTaintedSinks(evaluator, call);
  if (node.callee.op === 'variable' && node.callee.name === 'raise') recordRaised(evaluator, args, scope);
  if (rules.terminators.has(callee.names)) scope.exited ??= 'function';
  fillOutputArguments(evaluator, call);
  if (evaluator.program.passesReferences) forgetConstants(call);
  const result = callResult(evaluator, call);
  setOutArguments(evaluator, call, result);
  const names = result.names.length > 0 && result.isDeclared ? result.names : callee.names.map((name) => `${name}()`);
  const made = { ...result, names, taint: mergeTaints([result.taint, held]) };
  return node.resultType === undefined ? made : madeOfType(evaluator, made, node.resultType);
}

/** What a call makes that is told the type: an object of a class of this code, or no text. */
function madeOfType(evaluator: Evaluator, value: Value, type: string): Value {
  const isKnown = evaluator.objects.classes.named(type) !== null || evaluator.program.scalarTypes.test(type);
  return isTainted(value) && isKnown ? { ...typedValue(evaluator, value, type), names: value.names } : value;
}

/** A function that is passed may run later, where the one that it is passed to does not call it. */
function runUncalled(
  evaluator: Evaluator,
  call: IrCall,
  args: readonly CallArgument[],
  runs: readonly number[],
  scope: Scope,
): void {
  for (const [index, { node, value }] of args.entries()) {
    if (node.op !== 'function' || value.fn === null || runs[index] !== evaluator.functions.runsOf(value.fn)) continue;
    const values = node.parameters.map((parameter, at) => callbackParameter(call, parameter, at));
    evaluator.functions.evaluateInPlace(
      node,
      values.map((one) => ({ name: null, node, value: one, result: null })),
      scope,
    );
  }
}

/** `super(x)`, `super().__init__(x)`, `parent::__construct($x)` */
function isConstructorOfAbove({ callee }: IrCall): boolean {
  if (callee.op === 'variable') return callee.name === 'super';
  return callee.op === 'member' && /^(__init__|__construct)$/.test(callee.name);
}

/** The constructor of an exception that is not in this code keeps its message. */
function keepMessage({ objects }: Evaluator, args: readonly CallArgument[], scope: Scope): void {
  const self = currentSelf(scope);
  const [message] = args;
  if (self?.instanceOf == null || message === undefined) return;
  for (const name of MESSAGE_FIELDS) objects.setField(self, name, message.value, scope);
}

/** `handler(self, x)`: a method that is called like a function gets its object as the first argument. */
function withPassedSelf(
  targets: readonly CallTarget[],
  args: readonly CallArgument[],
): [readonly CallTarget[], readonly CallArgument[]] {
  const [first, ...rest] = args;
  const [only] = targets;
  const isPassed =
    first?.node.op === 'variable' &&
    /^(self|cls)$/.test(first.node.name) &&
    only?.self === null &&
    only.fn.selfName !== null;
  return isPassed ? [[{ ...only, self: first.value.instanceOf === null ? null : first.value }], rest] : [targets, args];
}

/** A function that is not known may take its arguments by reference and change them. */
function forgetConstants({ args, scope }: EvaluatedCall): void {
  for (const { node, value } of args) {
    if (node.op === 'variable' && value.constant !== undefined) scope.set(node.name, { ...value, constant: undefined });
  }
}

/** `raise Failure, text` in Ruby: the exception is made of the class. */
function recordRaised({ jumps, objects, program }: Evaluator, args: readonly CallArgument[], scope: Scope): void {
  const [first, ...rest] = args;
  if (first === undefined) return;
  const owner = first.node.op === 'variable' ? program.classes.get(first.node.name) : undefined;
  const value = owner === undefined ? mergeValues(args.map((one) => one.value)) : objects.construct(owner, rest, scope);
  jumps.recordThrown(objects.detached(value, scope));
}

/** The class of this code of which the call makes an object: `new T()`, `T()` in Python, `T.new` in Ruby; null: it makes none. */
function constructedClass(
  { functions, objects, program }: Evaluator,
  { node: { callee, args } }: EvaluatedCall,
): IrClass | null {
  if (callee.op === 'member') {
    const { object, name } = callee;
    const named = object.op === 'variable' ? program.classes.get(object.name) : undefined;
    if (named?.isEnum === true && /^(from|tryFrom|valueOf)$/.test(name)) return named;
    return name === 'new' && object.op === 'variable' ? (program.classes.get(object.name) ?? null) : null;
  }
  if (callee.op !== 'variable') return null;
  const body = args.find(({ name }) => name === 'body')?.value;
  if (body?.op === 'class') return body.description;
  const isNew = callee.name.startsWith('new:');
  const typeName = isNew ? callee.name.slice(4) : callee.name;
  const owner = /^(self|static|cls)$/.test(typeName) ? functions.currentClass : objects.classes.named(typeName);
  // A call of the class alone makes an object in Python.
  return owner !== null && (isNew || program.selfName === 'self') ? owner : null;
}

function constructorNames({ names }: Value): string[] {
  return names.map((name) => `${name}()`);
}

/** A free variable whose method is called is more likely a package than data. */
function receiverValue(evaluator: Evaluator, node: IrNode, scope: Scope): Value {
  const value = evaluator.evaluate(node, scope);
  if (node.op !== 'variable') return value;
  return value.taint.sql?.level === 'free' || value.unfollowed === node.syntax
    ? { ...withoutTaint(value, INJECTION_KINDS), hidden: value.hidden }
    : value;
}

function evaluateArguments(
  evaluator: Evaluator,
  call: IrCall,
  callee: Value,
  receiver: Value | null,
  scope: Scope,
  isFollowed: boolean,
): CallArgument[] {
  const isHandler = evaluator.rules.requestHandlers.has(callee.names);
  const isDefinition = evaluator.rules.functionDefiners.has(callee.names);
  let schemas: RouteSchemas | null = null;
  const hasCallback = call.args.some(({ value }) => value.op === 'function');
  const passedOn: Value[] = [];
  return call.args.flatMap(({ name, value: node, isOut }): CallArgument[] => {
    if (node.op === 'spread') return spreadArguments(evaluator, node, scope);
    if (isOut === true) {
      const out = node.op === 'assign' ? node.target : node;
      return [{ name, node: out, value: evaluator.evaluate(node, scope), result: null, out }];
    }
    if (node.op !== 'function') {
      const value = evaluator.evaluate(node, scope);
      if (isHandler) schemas ??= routeSchemas(evaluator, value) ?? checkedSchemas(evaluator, node, scope);
      if (hasCallback) passedOn.push(value);
      return [{ name, node, value, result: null }];
    }
    const list = FUNCTION_FIRST.test(callee.names[0] ?? '') ? listOf(evaluator, call, node, scope) : receiver;
    const element = list === null ? UNKNOWN : elementOf(evaluator.rules, list, UNKNOWN, node);
    const passed = isCertainlyPassed(element)
      ? [{ ...element, fromSource: false }]
      : passedValues(evaluator, callee, passedOn, node);
    const given =
      reducedArguments(callee, call, evaluator, scope, element) ??
      functionArguments(evaluator, callee, call, receiver, scope) ??
      passed;
    const values = node.parameters.map((parameter, index) => {
      const value = given[index] ?? passed[index];
      return value === undefined || value === UNKNOWN ? callbackParameter(call, parameter, index) : value;
    });
    const parameters = isHandler
      ? 'request'
      : isDefinition
        ? 'parameter'
        : values.map((value) => ({ name: null, node, value, result: null }));
    const value: Value = { ...UNKNOWN, fn: node, outside: scope, isDeclared: true };
    const settled = callee.names.includes('new:Promise') ? withIdentity({ ...UNKNOWN, names: [SETTLES] }) : null;
    if (settled !== null) {
      // What it is settled with is the value of the promise.
      evaluator.functions.evaluateInPlace(node, [{ name: null, node, value: settled, result: null }], scope);
      const result = scope.objectOf(settled.identity!);
      // Another function may settle it.
      return [{ name, node, value, result: result === settled ? { ...UNKNOWN, unfollowed: node.syntax } : result }];
    }
    // A function of this code calls it itself.
    if (isFollowed) return [{ name, node, value, result: null }];
    const matched = isHandler ? matchedArguments(call, node) : null;
    const result = evaluator.functions.evaluateInPlace(
      node,
      matched ?? parameters,
      scope,
      isHandler ? (schemas ?? fieldSchemas(passedOn)) : null,
    );
    return [{ name, node, value, result }];
  });
}

/** `...list` and `**options` in a call: several arguments, or named ones. */
function spreadArguments(evaluator: Evaluator, node: IrNode, scope: Scope): CallArgument[] {
  const value = evaluator.evaluate(node, scope);
  if (value.fields !== null && value.instanceOf === null) {
    return [...value.fields].map(([name, field]) => ({ name, node, value: field, result: null }));
  }
  const elements = value.elements ?? [value];
  return elements.map((element) => ({ name: null, node, value: element, result: null }));
}

/** Functions that get a function and then the list whose elements they pass to it. */
const FUNCTION_FIRST =
  /^(?:(?:functools|itertools)\.)?(?:map|filter|reduce|starmap|accumulate|takewhile|dropwhile|filterfalse|array_map)$/;

/** The list behind the function in `map(function, list)`. */
function listOf(evaluator: Evaluator, { args }: IrCall, fn: IrNode, scope: Scope): Value | null {
  const list = args[args.findIndex(({ value }) => value === fn) + 1];
  return list === undefined ? null : evaluator.evaluate(list.value, scope);
}

/** `map.TryGetValue(key, out x)`, `queue.TryDequeue(out x)`; what a function that is not known gives is made of its arguments. */
function setOutArguments(evaluator: Evaluator, { node, receiver, args, scope }: EvaluatedCall, result: Value): void {
  const name = node.callee.op === 'member' ? node.callee.name : '';
  const isTaken = /^Try(?:GetValue|Get|Remove|Dequeue|Pop|Peek|Take|Read)$/.test(name);
  const [key] = args.filter(({ out }) => out === undefined);
  for (const { out } of args) {
    if (out === undefined) continue;
    const given =
      isTaken && receiver !== null
        ? elementOf(evaluator.rules, receiver, key?.value ?? UNKNOWN, node)
        : { ...UNKNOWN, taint: result.taint, unfollowed: result.unfollowed };
    const { typeName } = evaluator.evaluate(out, scope);
    evaluator.bind(out, typeName === null ? given : typedValue(evaluator, given, typeName), scope);
  }
}

/** `json.Unmarshal(body, &order)`: the variables among the arguments get the taint of what is read. */
function fillOutputArguments(evaluator: Evaluator, { node, callee, receiver, args, scope }: EvaluatedCall): void {
  const { rules } = evaluator;
  const [level] = rules.outputArguments.find(callee.names);
  if (level === undefined) return;
  const inputs = [...(receiver === null ? [] : [receiver]), ...args.map(({ value }) => value)];
  const taint = level === 'arguments' ? concatValues(inputs, false).taint : createTaint(level, node);
  if (taint.sql === undefined && !inputs.some(({ instanceOf }) => instanceOf !== null)) return;
  for (const { node: argument, value } of args) {
    // A writer of the framework, which sends what it is given.
    const isSent = rules.trustedTypes.test(value.typeName ?? '');
    if (argument.op !== 'variable' || isTainted(value) || isSent) continue;
    // `errors.As(err, &failure)`
    const object = level === 'arguments' ? inputs.find(({ instanceOf }) => instanceOf !== null) : undefined;
    const filled = { ...value, taint };
    scope.set(
      argument.name,
      object ?? (value.typeName === null ? filled : typedValue(evaluator, filled, value.typeName)),
    );
  }
}

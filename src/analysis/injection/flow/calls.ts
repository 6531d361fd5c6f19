import type { IrCall, IrClass, IrNode } from '../ir/ir.ts';
import { INJECTION_KINDS, mergeTaints, NO_TAINT } from '../taint.ts';
import { currentSelf } from './current-self.ts';
import { typedValue } from './assignments.ts';
import { evaluateArguments, SETTLES } from './call-arguments.ts';
import { callResult } from './call-results.ts';
import type { CallArgument, CallTarget, EvaluatedCall } from './call-types.ts';
import { callbackParameter } from './callback-arguments.ts';
import { declareInputs } from './declared-inputs.ts';
import { callTargets } from './evaluated-call.ts';
import type { Evaluator } from './evaluator.ts';
import { inEither } from './either.ts';
import { mergeValues } from './merge-values.ts';
import { MESSAGE_FIELDS } from './new-objects.ts';
import { fillOutputArguments, setOutArguments } from './out-arguments.ts';
import { markGuarded } from './refinements.ts';
import { reportReferencedSinks } from './referenced-sinks.ts';
import type { Scope } from './scope.ts';
import { reportTaggedCommand, reportTaintedSinks } from './sinks.ts';
import { asRequestGetter, memberOf } from './source-values.ts';
import { templateArguments } from './tagged-commands.ts';
import { isTainted, listValue, UNKNOWN, type Value, withoutTaint } from './value.ts';

/** Tags that leave the text as it is, but for its spaces. */
const TEXT_TAG = /(?:^|\.)(?:String\.raw|dedent|outdent|stripIndents?|oneLine|trimIndent)$/;

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
    const tagged =
      targets.length === 0 ? null : evaluator.functions.follow(targets, templateArguments(evaluator, call), scope);
    if (tagged !== null) return tagged;
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
  const owners = targets.length > 0 ? [] : constructedClasses(evaluator, call);
  if (owners[0]?.isEnum === true) return UNKNOWN;
  if (owners.length > 0) return { ...constructEither(evaluator, owners, args, scope), names: constructorNames(callee) };
  const runs = targets.length > 0 ? args.map(({ value }) => evaluator.functions.runsOf(value.fn)) : [];
  if (targets.length > 0) {
    const followed = evaluator.functions.follow(withPassedSelf(evaluator, targets, args), args, scope);
    if (followed !== null) runUncalled(evaluator, node, args, runs, scope);
    if (followed !== null) {
      const result = node.resultType === undefined ? followed : madeOfType(evaluator, followed, node.resultType);
      return { ...result, names: [...callee.names.map((name) => `${name}()`), ...followed.names].slice(0, 4) };
    }
  }
  if (targets.length === 0 && isConstructorOfAbove(node)) keepMessage(evaluator, args, scope);
  runUncalled(evaluator, node, args, runs, scope);
  const held = targets.length > 0 ? NO_TAINT : reportTaintedSinks(evaluator, call);
  if (args.length > 0) reportReferencedSinks(evaluator, call);
  if (node.callee.op === 'variable' && node.callee.name === 'raise') recordRaised(evaluator, args, scope);
  if (rules.terminators.has(callee.names)) scope.exited ??= 'function';
  markGuarded(evaluator, call);
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
  const [first, ...rest] = value.elements ?? [];
  // `value, err := read[T](x)`
  if (evaluator.program.hasZeroValues && first !== undefined && isKnown)
    return listValue([isTainted(first) ? typedValue(evaluator, first, type) : first, ...rest]);
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

/** `handler(self, x)`, `(*Session).ping(s, x)`: a method that is called like a function gets its object as the first argument. */
function withPassedSelf(
  { objects }: Evaluator,
  targets: readonly CallTarget[],
  args: readonly CallArgument[],
): readonly CallTarget[] {
  const [first, ...rest] = args;
  if (first === undefined) return targets;
  const { instanceOf } = first.value;
  const isSelf = targets.length === 1 && first.node.op === 'variable' && /^(self|cls)$/.test(first.node.name);
  return targets.map((target) => {
    const { fn, self } = target;
    if (fn.owner === null || fn.selfName === null) return target;
    const isObject =
      instanceOf !== null &&
      args.length === fn.parameters.length + 1 &&
      objects.classes.lineage(instanceOf).includes(fn.owner);
    if (!isObject && !(isSelf && self === null)) return target;
    return { ...target, self: instanceOf === null ? null : first.value, args: rest };
  });
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

/** Of classes that a value may be, so many are followed. */
const MAX_CLASSES = 10;

/** The classes of this code of which the call makes an object: `new T()`, `T()` in Python, `T.new` in Ruby, or by a value that is a class. */
function constructedClasses(evaluator: Evaluator, call: EvaluatedCall): readonly IrClass[] {
  const named = namedClass(evaluator, call);
  if (named !== null) return [named];
  const { node, callee, receiver, scope } = call;
  const made = madeFrom(evaluator, node, callee, receiver, scope);
  if (made === null || (made.classOf === null && made.choices.length === 0)) return [];
  const classes = (made.choices.length > 0 ? made.choices : [made]).map(({ classOf }) => classOf);
  return classes.filter((one) => one !== null).slice(0, MAX_CLASSES);
}

/** The value whose class the call makes an object of: `new types[kind]()`, `types[kind]()` in Python, `types[kind].new` in Ruby. */
function madeFrom(
  evaluator: Evaluator,
  { callee: written, madeOf }: IrCall,
  callee: Value,
  receiver: Value | null,
  scope: Scope,
): Value | null {
  if (madeOf !== undefined) return evaluator.evaluate(madeOf, scope);
  if (written.op === 'member' && written.name === 'new') return receiver;
  return evaluator.program.selfName === 'self' ? callee : null;
}

/** The class that the call names. */
function namedClass(
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

/** An object of one of the classes. */
function constructEither(
  { objects }: Evaluator,
  owners: readonly IrClass[],
  args: readonly CallArgument[],
  scope: Scope,
): Value {
  return mergeValues(inEither(scope, owners, (owner, state) => objects.construct(owner, args, state)));
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

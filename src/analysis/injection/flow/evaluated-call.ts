import { type IrFunction, type IrNode, REFERENCE_PARAMETER } from '../ir/ir.ts';
import { currentSelf } from './current-self.ts';
import type { Evaluator } from './evaluator.ts';
import type { CallTarget, EvaluatedCall } from './call-types.ts';
import { byArity } from './arity.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

const SELF_NAME = /^(this|self|cls|\$this|static)$/;
const SUPER_NAME = /^(super|parent|base)$/;
const CONSTRUCTOR_CALL = /^(super|this)$/;
/** Methods that call the function that is their object. */
const INVOKERS =
  /^(apply|accept|call|test|run|invoke|Invoke|get|__invoke|yield|supply|execute|process|handle|compare)$/;

/** The functions of this code that a call may reach: by a value, by a name, or as methods of an object. */
export function callTargets(
  evaluator: Evaluator,
  call: Omit<EvaluatedCall, 'args'>,
  count: number,
): readonly CallTarget[] {
  const { callee, scope } = call;
  return callee.fn === null ? byArity(allTargets(evaluator, call), count) : functionTargets(evaluator, callee, scope);
}

function allTargets(
  evaluator: Evaluator,
  { node, receiver, scope }: Omit<EvaluatedCall, 'args'>,
): readonly CallTarget[] {
  const { callee } = node;
  if (callee.op === 'variable' && CONSTRUCTOR_CALL.test(callee.name))
    return constructorTargets(evaluator, callee.name, scope);
  if (callee.op === 'variable') return targetsByName(evaluator, callee.name, scope);
  if (callee.op !== 'member' || receiver === null) return [];
  const { object, name } = callee;
  const isInvoked = (): boolean =>
    INVOKERS.test(name) || evaluator.program.functions.get(name)?.some(({ isAbstract }) => isAbstract) === true;
  if (receiver.fn !== null && isInvoked()) return functionTargets(evaluator, receiver, scope);
  if (receiver.choices.length === 0) return targetsOfMethod(evaluator, object, name, receiver, scope);
  return receiver.choices.flatMap((one) => targetsOfMethod(evaluator, object, name, one, scope));
}

function functionTargets(evaluator: Evaluator, value: Value, scope: Scope): CallTarget[] {
  const { fn, outside, choices } = value;
  if (choices.length > 0) return choices.flatMap((one) => functionTargets(evaluator, one, scope));
  if (fn === null) return [];
  return fn.owner === null
    ? [{ fn, outside: outside as Scope | null, self: null }]
    : [methodTarget(evaluator, fn, currentSelf(scope))];
}

/** `super(x)`, `this(x)` in a constructor. */
function constructorTargets(evaluator: Evaluator, name: string, scope: Scope): readonly CallTarget[] {
  const { functions, objects } = evaluator;
  if (functions.currentClass === null) return [];
  const [own, above] = objects.classes.lineage(functions.currentClass);
  const owner = name === 'this' ? own : above;
  const found = owner === undefined ? [] : objects.classes.constructors(owner);
  return found.map((fn) => methodTarget(evaluator, fn, currentSelf(scope)));
}

/** A function of this name, or a method of the object whose method runs. */
function targetsByName(evaluator: Evaluator, name: string, scope: Scope): readonly CallTarget[] {
  const found = evaluator.program.functions.get(name) ?? [];
  const free = found.findLast(({ owner }) => owner === null);
  if (free !== undefined) return [{ fn: free, outside: null, self: null }];
  if (found.length === 0) return [];
  const { currentClass } = evaluator.functions;
  if (currentClass === null) return [];
  const self = currentSelf(scope);
  const { classes } = evaluator.objects;
  // The object may be of a class that extends the one whose method runs.
  const actual = self?.instanceOf ?? currentClass;
  const own = classes.methods(classes.lineage(actual).includes(currentClass) ? actual : currentClass, name, false);
  // A method of a class around this one.
  return own.length > 0
    ? own.map((fn) => methodTarget(evaluator, fn, self))
    : found.map((fn) => methodTarget(evaluator, fn, null));
}

function targetsOfMethod(
  evaluator: Evaluator,
  object: IrNode,
  name: string,
  receiver: Value,
  scope: Scope,
): readonly CallTarget[] {
  const { objects, functions, program } = evaluator;
  const known = program.functions.get(name);
  const { currentClass } = functions;
  const isSuper =
    (object.op === 'variable' && SUPER_NAME.test(object.name)) ||
    (object.op === 'call' && object.callee.op === 'variable' && object.callee.name === 'super');
  if (isSuper && currentClass !== null) {
    const [, above] = objects.classes.lineage(currentClass);
    if (above === undefined) return [];
    const found =
      name === '__construct' || name === '__init__'
        ? objects.classes.constructors(above)
        : objects.classes.methods(above, name, true);
    return found.map((fn) => methodTarget(evaluator, fn, currentSelf(scope)));
  }
  if (known === undefined) return [];
  const isSelf = object.op === 'variable' && SELF_NAME.test(object.name);
  // In Ruby, a function outside of all classes is a method of each object.
  const free = isSelf && program.callsByName ? known.findLast(({ owner }) => owner === null) : undefined;
  if (receiver.instanceOf !== null) {
    const methods = objects.classes.methods(receiver.instanceOf, name, !isSelf);
    if (methods.length > 0 || free === undefined) return methods.map((fn) => methodTarget(evaluator, fn, receiver));
  }
  if (free !== undefined) return [{ fn: free, outside: null, self: null }];
  const declared =
    objects.classes.named(receiver.typeName) ??
    (object.op === 'variable' ? objects.classes.named(object.name) : null) ??
    (object.op === 'variable' && SELF_NAME.test(object.name) ? currentClass : null);
  if (declared !== null) {
    const found = objects.classes.methods(declared, name, false);
    // `Type::method` is a method of the element.
    const element = found.every(({ parameters }) => parameters.length === 0)
      ? scope.get(REFERENCE_PARAMETER)
      : undefined;
    return found.map((fn) => methodTarget(evaluator, fn, element ?? null));
  }
  return [];
}

/** The method as a call on the object reaches it; where that is not of its class, on one of which no more is known. */
export function methodTarget(evaluator: Evaluator, fn: IrFunction, self: Value | null): CallTarget {
  const outside = fn.owner === null ? null : evaluator.objects.outsideOf(fn.owner);
  if (fn.owner === null || fn.selfName === null) return { fn, outside, self: null };
  const isOwn = self?.instanceOf != null && evaluator.objects.classes.lineage(self.instanceOf).includes(fn.owner);
  return {
    fn,
    outside,
    self: isOwn ? self : evaluator.objects.symbolic(fn.owner, fn.selfName, outside ?? evaluator.top),
  };
}

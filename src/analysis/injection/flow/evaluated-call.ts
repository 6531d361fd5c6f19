import type { IrFunction, IrNode } from '../ir/ir.ts';
import { currentSelf } from './accesses.ts';
import type { Evaluator } from './evaluator.ts';
import type { CallTarget, EvaluatedCall } from './call-types.ts';
import { byArity } from './arity.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

const SELF_NAME = /^(this|self|cls|\$this|static)$/;
const SUPER_NAME = /^(super|parent|base)$/;
/** Methods that call the function that is their object. */
const INVOKERS =
  /^(apply|accept|call|test|run|invoke|Invoke|get|__invoke|yield|supply|execute|process|handle|compare)$/;

/** The functions of this code that a call may reach: by a value, by a name, or as methods of an object. */
export function callTargets(
  evaluator: Evaluator,
  call: Omit<EvaluatedCall, 'args'>,
  count: number,
): readonly CallTarget[] {
  return byArity(allTargets(evaluator, call), count);
}

function allTargets(
  evaluator: Evaluator,
  { node, callee: called, receiver, scope }: Omit<EvaluatedCall, 'args'>,
): readonly CallTarget[] {
  const { callee } = node;
  if (called.fn !== null) return functionTargets(called);
  if (callee.op === 'variable') return targetsByName(evaluator, callee.name, scope);
  if (callee.op !== 'member' || receiver === null) return [];
  const { object, name } = callee;
  if (receiver.fn !== null && INVOKERS.test(name)) return functionTargets(receiver);
  if (receiver.choices.length === 0) return targetsOfMethod(evaluator, object, name, receiver, scope);
  return receiver.choices.flatMap((one) => targetsOfMethod(evaluator, object, name, one, scope));
}

function functionTargets(value: Value): CallTarget[] {
  const { fn, outside, choices } = value;
  if (choices.length > 0) return choices.flatMap(functionTargets);
  return fn === null ? [] : [{ fn, outside: outside as Scope | null, self: null }];
}

/** A function of this name, or a method of the object whose method runs. */
function targetsByName(evaluator: Evaluator, name: string, scope: Scope): readonly CallTarget[] {
  const found = evaluator.program.functions.get(name) ?? [];
  const free = found.findLast(({ owner }) => owner === null);
  if (free !== undefined) return [{ fn: free, outside: null, self: null }];
  if (found.length === 0) return [];
  const { currentClass } = evaluator.functions;
  if (currentClass === null) return [];
  const own = evaluator.objects.classes.methods(currentClass, name, false);
  // A method of a class around this one.
  return own.length > 0
    ? own.map((fn) => methodTarget(evaluator, fn, currentSelf(scope)))
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
  if (receiver.instanceOf !== null) {
    const isSelf = object.op === 'variable' && SELF_NAME.test(object.name);
    return objects.classes
      .methods(receiver.instanceOf, name, !isSelf)
      .map((fn) => methodTarget(evaluator, fn, receiver));
  }
  const declared =
    objects.classes.named(receiver.typeName) ??
    (object.op === 'variable' ? objects.classes.named(object.name) : null) ??
    (object.op === 'variable' && SELF_NAME.test(object.name) ? currentClass : null);
  if (declared !== null)
    return objects.classes.methods(declared, name, false).map((fn) => methodTarget(evaluator, fn, null));
  return [];
}

function methodTarget(evaluator: Evaluator, fn: IrFunction, self: Value | null): CallTarget {
  const outside = fn.owner === null ? null : evaluator.objects.outsideOf(fn.owner);
  if (fn.owner === null || fn.selfName === null) return { fn, outside, self: null };
  const isOwn = self?.instanceOf != null && evaluator.objects.classes.lineage(self.instanceOf).includes(fn.owner);
  return {
    fn,
    outside,
    self: isOwn ? self : evaluator.objects.symbolic(fn.owner, fn.selfName, outside ?? evaluator.top),
  };
}

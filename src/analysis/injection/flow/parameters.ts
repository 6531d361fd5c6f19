import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Evaluator } from './evaluator.ts';
import type { IrParameter, IrFunction } from '../ir/ir.ts';
import { UNKNOWN, type Value, withoutTaint } from './value.ts';
import { type SourceLevel } from '../taint.ts';

/** A folder is where a path begins, not what climbs out of it. */
const FOLDER_NAME = /(dir|directory|root|base|folder|cwd|home|prefix|dest|destination)$/i;

/** What a routine's parameter is where nothing is known of who calls it. */
export function parameterValue(
  evaluator: Evaluator,
  fn: IrFunction,
  parameter: IrParameter,
  at: number,
  level: 'parameter' | 'request',
): Value {
  const { rules } = evaluator;
  const { target, type, annotations, isSafeType } = parameter;
  // `({ query }, response) => ...`: the first parameter of a handler, taken apart.
  if (target.op === 'record' && at === 0) return { ...UNKNOWN, names: ['req'] };
  if (target.op !== 'variable') return UNKNOWN;
  const typed: Value = { ...UNKNOWN, typeName: type, names: [target.name] };
  if (isSafeType || isNumericInRoute(rules, fn, target.name)) return typed;
  if (rules.requestParameterAnnotation?.test(annotations) === true) {
    return { ...typed, taint: evaluator.newTaint('request', target) };
  }
  if (type !== null && rules.trustedTypes.test(type)) return { ...typed, names: [target.name, type] };
  if ((rules.trustedNames.test(target.name) && !isLambdaEvent(fn, at)) || /\bDepends\(/.test(annotations)) return typed;
  const first = fn.parameters.find(({ target }) => target.op !== 'variable' || !/^(self|cls)$/.test(target.name));
  const beside =
    first !== parameter &&
    first?.target.op === 'variable' &&
    rules.requestParameterName?.test(first.target.name) === true;
  const sent = rules.requestFunctionAnnotation?.test(fn.annotations) === true;
  const taken: SourceLevel = beside || sent || isLambdaEvent(fn, at) ? 'request' : level;
  const value = { ...typed, taint: evaluator.newTaint(taken, target) };
  return taken === 'parameter' && FOLDER_NAME.test(target.name) ? withoutTaint(value, ['path']) : value;
}

function isNumericInRoute(
  { numericRouteParameter }: CompiledRules,
  { annotations }: IrFunction,
  name: string,
): boolean {
  return (
    numericRouteParameter !== null &&
    [...annotations.matchAll(numericRouteParameter)].some(([, scalarTypes]) => scalarTypes === name)
  );
}

/** What the cloud calls a function with, `(event, context)`: AWS Lambda. */
function isLambdaEvent({ parameters }: IrFunction, at: number): boolean {
  const [first, second] = parameters.map(({ target }) => (target.op === 'variable' ? target.name : ''));
  return at === 0 && first === 'event' && /^_?context$/.test(second ?? '');
}

import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Evaluator } from './evaluator.ts';
import type { Parameter, Routine } from '../ir/ir.ts';
import { type Level, UNKNOWN, type Value, without } from './value.ts';

/** A folder is where a path begins, not what climbs out of it. */
const FOLDER = /(dir|directory|root|base|folder|cwd|home|prefix|dest|destination)$/i;

/** What a routine's parameter is where nothing is known of who calls it. */
export function parameterValue(
  flow: Evaluator,
  routine: Routine,
  parameter: Parameter,
  at: number,
  level: 'parameter' | 'request',
): Value {
  const { rules } = flow;
  const { target, type, notes, harmless } = parameter;
  // `({ query }, response) => ...`: the first parameter of a handler, taken apart.
  if (target.op === 'record' && at === 0) return { ...UNKNOWN, paths: ['req'] };
  if (target.op !== 'name') return UNKNOWN;
  const typed: Value = { ...UNKNOWN, typeName: type, paths: [target.name] };
  if (harmless || isNumericInRoute(rules, routine, target.name)) return typed;
  if (rules.requestParameter?.test(notes) === true) {
    return { ...typed, taint: flow.newTaint('request', target) };
  }
  if (type !== null && rules.serviceTypes.test(type)) return { ...typed, paths: [target.name, type] };
  if ((rules.services.test(target.name) && !isEvent(routine, at)) || /\bDepends\(/.test(notes)) return typed;
  const first = routine.parameters.find(({ target }) => target.op !== 'name' || !/^(self|cls)$/.test(target.name));
  const beside =
    first !== parameter && first?.target.op === 'name' && rules.requestBeside?.test(first.target.name) === true;
  const sent = rules.requestRoutine?.test(routine.notes) === true;
  const taken: Level = beside || sent || isEvent(routine, at) ? 'request' : level;
  const value = { ...typed, taint: flow.newTaint(taken, target) };
  return taken === 'parameter' && FOLDER.test(target.name) ? without(value, ['path']) : value;
}

function isNumericInRoute({ numericInRoute }: CompiledRules, { notes }: Routine, name: string): boolean {
  return numericInRoute !== null && [...notes.matchAll(numericInRoute)].some(([, numeric]) => numeric === name);
}

/** What the cloud calls a function with, `(event, context)`: AWS Lambda. */
function isEvent({ parameters }: Routine, at: number): boolean {
  const [first, second] = parameters.map(({ target }) => (target.op === 'name' ? target.name : ''));
  return at === 0 && first === 'event' && /^_?context$/.test(second ?? '');
}

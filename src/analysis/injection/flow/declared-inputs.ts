import { calledName, callsIn } from '../ir/calls.ts';
import type { IrCall, IrNode, IrNodeOf } from '../ir/ir.ts';
import { isHarmlessMatch } from './argument-tests.ts';
import type { Evaluator } from './evaluator.ts';
import { recordValue } from './merge-values.ts';
import type { Scope } from './scope.ts';
import { createTaint, sourceValue } from './source-values.ts';
import { UNKNOWN, type Value } from './value.ts';

/** Types of inputs that hold no free text. */
const SAFE_TYPE =
  /(?:^|[.:])(?:Integer|Int|BigInt|Float|BigDecimal|Numeric|Boolean|Bool|Date|DateTime|Time|ISO8601Date(?:Time)?|Symbol|GraphQL(?:Int|Float|Boolean))$/;
/** What makes another type of one: required, or a list. */
const WRAPPER = /^(?:new:)?(?:GraphQL)?(?:nonNull|listOf|NonNull|List|ListOfType)$/;

/** Whether the declaration of an input, `requires :id, type: Integer`, allows no free text. */
export function isSafeInput(evaluator: Evaluator, { args }: IrCall, scope: Scope): boolean {
  const named = new Map(args.filter(({ name }) => name !== null).map(({ name, value }) => [name!, value]));
  if (named.has('values')) return true;
  const pattern = named.get('regexp');
  if (pattern !== undefined && isHarmlessMatch(evaluator.rules, evaluator.evaluate(pattern, scope))) return true;
  const type = named.get('type') ?? args.filter(({ name }) => name === null)[1]?.value;
  return type !== undefined && isSafeType(evaluator, type, scope);
}

function isSafeType(evaluator: Evaluator, node: IrNode, scope: Scope): boolean {
  switch (node.op) {
    case 'list':
      return node.elements.length === 1 && isSafeType(evaluator, node.elements[0]!, scope);
    case 'index':
      // `Array[Integer]`
      return isSafeType(evaluator, node.index, scope);
    case 'record': {
      const type = node.entries.find(({ key }) => key === 'type')?.value;
      return type !== undefined && isSafeType(evaluator, type, scope);
    }
    case 'call': {
      const name = node.callee.op === 'member' || node.callee.op === 'variable' ? node.callee.name : '';
      const [inner] = node.args;
      if (WRAPPER.test(name)) return inner !== undefined && isSafeType(evaluator, inner.value, scope);
      return /^(?:int|float|boolean)$/.test(name) || /Enum(?:Type)?$/.test(name);
    }
    case 'variable':
      if (evaluator.program.classes.get(node.name)?.isEnum === true) return true;
      break;
    case 'member':
      break;
    default:
      return false;
  }
  return (
    SAFE_TYPE.test(node.name) ||
    evaluator.evaluate(node, scope).names.some((name) => SAFE_TYPE.test(name) || /Enum(?:Type)?\(\)$/.test(name))
  );
}

/** Where the names are kept that the last block of declarations in a scope has declared. */
const DECLARED = '#inputs';

/** `params do requires :id, type: Integer end` of Grape: what is declared holds for the next endpoint. False: another block. */
export function declareInputs(evaluator: Evaluator, node: IrCall, scope: Scope): boolean {
  const block = node.args.at(-1)?.value;
  if (!evaluator.program.callsByName || calledName(node) !== 'params' || block?.op !== 'function') return false;
  for (const path of scope.get(DECLARED)?.refines ?? []) scope.set(path, sourceValue('request', node));
  const safe = callsIn(block.body).flatMap((call) => {
    const input = call.args[0]?.value;
    const declares = /^(?:requires|optional)$/.test(calledName(call)) && input?.op === 'string';
    return declares && isSafeInput(evaluator, call, scope) ? [`params.${input.text}`] : [];
  });
  for (const path of safe) scope.set(path, UNKNOWN);
  scope.set(DECLARED, { ...UNKNOWN, refines: safe });
  return true;
}

/** A field of GraphQL with `args` and `resolve`: the function gets the arguments from the request. Null: another record. */
export function evaluateResolver(evaluator: Evaluator, { entries }: IrNodeOf<'record'>, scope: Scope): Value | null {
  const declared = entries.find(({ key }) => key === 'args')?.value;
  const resolver = entries.find(({ key }) => key === 'resolve')?.value;
  if (declared?.op !== 'record' || resolver?.op !== 'function') return null;
  const inputs = declared.entries.map(({ key, value }): readonly [string | null, Value] => [
    key,
    isSafeType(evaluator, value, scope) ? UNKNOWN : { ...UNKNOWN, taint: createTaint('request', value) },
  ]);
  const values = [UNKNOWN, recordValue(inputs)];
  const args = values.map((value) => ({ name: null, node: resolver, value, result: null }));
  const result = evaluator.functions.evaluateInPlace(resolver, args, scope);
  return recordValue(
    entries.map(({ key, value }) => [key, value === resolver ? result : evaluator.evaluate(value, scope)]),
  );
}

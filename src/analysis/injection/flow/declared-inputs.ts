import { calledName, callsIn } from '../ir/calls.ts';
import { accessPathOf } from '../ir/access-path.ts';
import type { IrCall, IrClass, IrNode, IrNodeOf } from '../ir/ir.ts';
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

/** Types of dry-schema, which `filled(:integer)` names. */
const SAFE_SYMBOL = /^(?:integer|float|decimal|bool|date|time|date_time|uuid_v\d)$/;

/** Whether the declaration of an input, `requires :id, type: Integer`, `required(:id).filled(:integer)`, allows no free text. */
export function isSafeInput(evaluator: Evaluator, input: IrCall, scope: Scope): boolean {
  const named = new Map(input.args.filter(({ name }) => name !== null).map(({ name, value }) => [name!, value]));
  const validates = named.get('validates');
  const rules = validates?.op === 'record' ? validates.entries : [];
  if (named.has('values') || named.has('included_in?') || rules.some(({ key }) => key === 'inclusion')) return true;
  const pattern = named.get('regexp') ?? named.get('format?');
  if (pattern !== undefined && isHarmlessMatch(evaluator.rules, evaluator.evaluate(pattern, scope))) return true;
  const type = inputType(input);
  return type !== undefined && isSafeType(evaluator, type, scope);
}

function inputType({ callee, args }: IrCall): IrNode | undefined {
  const type = args.find(({ name }) => name === 'type')?.value;
  return type ?? args.filter(({ name }) => name === null)[callee.op === 'member' ? 0 : 1]?.value;
}

/** Input objects in input objects. */
const MAX_DEPTH = 3;

/** What the query gives for an argument: request data, of which an input object of this code has declared fields. */
export function inputValue(evaluator: Evaluator, input: IrCall, scope: Scope, depth = 0): Value {
  if (isSafeInput(evaluator, input, scope)) return UNKNOWN;
  const type = inputType(input);
  const owner = type === undefined ? null : classOfType(evaluator, type);
  const inside = owner === null || depth > MAX_DEPTH ? null : inputsOf(evaluator, owner, 'resolve', scope, depth + 1);
  return inside ?? { ...UNKNOWN, taint: createTaint('request', input) };
}

/** The record of the inputs that the class and those that it extends declare for a method; null: they declare none. */
export function inputsOf(evaluator: Evaluator, owner: IrClass, method: string, scope: Scope, depth = 0): Value | null {
  const declared = evaluator.objects.classes
    .lineage(owner)
    .toReversed()
    .flatMap(({ inputs }) => [...inputs].filter(([key]) => key.startsWith(`${method}.`)));
  if (declared.length === 0) return null;
  return recordValue(
    declared.map(([key, input]) => [key.slice(method.length + 1), inputValue(evaluator, input, scope, depth)]),
  );
}

/** The class of this code that a type names: `Sort`, `Types::Sort`. */
function classOfType({ program }: Evaluator, node: IrNode): IrClass | null {
  if (node.op !== 'variable' && node.op !== 'member') return null;
  return program.classes.get(accessPathOf(node)?.replaceAll('.', '::') ?? '') ?? program.classes.get(node.name) ?? null;
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
    case 'string':
      return SAFE_SYMBOL.test(node.text);
    case 'variable':
    case 'member':
      if (classOfType(evaluator, node)?.isEnum === true) return true;
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

import type { IrCall, IrFunction, IrNode } from '../ir/ir.ts';
import type { CallArgument, RouteSchemas } from './call-types.ts';
import { callbackParameter, functionArguments, matchedArguments, reducedArguments } from './callback-arguments.ts';
import { isCertainlyPassed, passedValues } from './callback-values.ts';
import type { Evaluator } from './evaluator.ts';
import { checkedSchemas, fieldSchemas, routeSchemas } from './route-schemas.ts';
import { isRecord, recordArguments } from './record-keys.ts';
import type { Scope } from './scope.ts';
import { elementOf } from './source-values.ts';
import { isTainted, UNKNOWN, type Value, withIdentity } from './value.ts';

/** The name of the function that settles a promise. */
export const SETTLES = '#settles';

/** The arguments with their values; the functions among them are evaluated with what is passed to them. */
export function evaluateArguments(
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
      (receiver !== null && isRecord(receiver) && RECORD_METHODS.test(nameOfMethod(call))
        ? recordArguments(evaluator.rules, receiver, node, nameOfMethod(call) === 'each_key')
        : null) ??
      reducedArguments(callee, call, evaluator, scope, element) ??
      functionArguments(evaluator, callee, call, receiver, scope) ??
      passed;
    const isOfPairs =
      receiver !== null &&
      isTainted(element) &&
      takesPairs(evaluator, call, node) &&
      RECORD_METHODS.test(nameOfMethod(call));
    const values = node.parameters.map((parameter, index) => {
      const value = given[index] ?? passed[index] ?? (isOfPairs ? element : undefined);
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

/** `data.each { |key, value| ... }` in Ruby, `map.forEach((key, value) -> ...)` in Java: of data that is sent, both are. */
function takesPairs({ program }: Evaluator, call: IrCall, { parameters, syntax }: IrFunction): boolean {
  const isForEach = nameOfMethod(call) === 'forEach' && syntax.type === 'lambda_expression';
  return parameters.length === 2 && (program.callsByName || isForEach);
}

function nameOfMethod({ callee }: IrCall): string {
  return callee.op === 'member' ? callee.name : '';
}

/** Methods of a record that call a function for each key and value. */
const RECORD_METHODS =
  /^(?:each|each_pair|each_key|map|flat_map|filter_map|select|filter|reject|find|detect|sum|any\?|all\?|collect|forEach|Select|SelectMany|Where|Any|All|First|sort_by|group_by|to_h)$/;

/** Functions that get a function and then the list whose elements they pass to it. */
const FUNCTION_FIRST =
  /^(?:(?:functools|itertools)\.)?(?:map|filter|reduce|starmap|accumulate|takewhile|dropwhile|filterfalse|array_map)$/;

/** The list behind the function in `map(function, list)`. */
function listOf(evaluator: Evaluator, { args }: IrCall, fn: IrNode, scope: Scope): Value | null {
  const list = args[args.findIndex(({ value }) => value === fn) + 1];
  return list === undefined ? null : evaluator.evaluate(list.value, scope);
}

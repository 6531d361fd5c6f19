import { anySource, INJECTION_KINDS, NO_TAINT } from '../taint.ts';
import { changeObject, zeroValue } from './assignments.ts';
import type { EvaluatedCall } from './call-types.ts';
import { textMethodResult } from './constants.ts';
import { containerResult } from './containers.ts';
import { keptInContext } from './context-values.ts';
import { deferredResult } from './deferred-calls.ts';
import { attributeNamed, sentResult } from './dynamic-methods.ts';
import { encodingResult } from './encodings.ts';
import { sanitizedElements, sanitizerResult, unquotedResult } from './escapes.ts';
import type { Evaluator } from './evaluator.ts';
import { formatted, SQL_QUOTING, substituted } from './format-strings.ts';
import { foundByPattern, groupsFound } from './found-by-pattern.ts';
import { holder, HOLDER } from './holders.ts';
import { pairsOf } from './iteration.ts';
import { appendValues, concatValues } from './join-values.ts';
import { filterResult, mappedValue, reducedValue } from './list-callbacks.ts';
import { EACH_FUNCTIONS, FILTER_FUNCTIONS, MAP_FUNCTIONS, REDUCE_FUNCTIONS } from './list-functions.ts';
import { recordValue } from './merge-values.ts';
import { NameTest } from './name-test.ts';
import { exceptionValue, newObject } from './new-objects.ts';
import { textOf } from './object-methods.ts';
import { argumentPaths, normalizedPath, receiverPath, splitExtension } from './path-results.ts';
import {
  flattenLists,
  keepsLetters,
  keepsOnlyWordCharacters,
  keepsRanges,
  propagate,
  quotesForShell,
  removesSeparators,
} from './propagation.ts';
import { recordOfPairs } from './record-copies.ts';
import { schemaResult } from './schemas.ts';
import { readValue, writtenText } from './serialization.ts';
import { statementOf } from './sink-values.ts';
import { createTaint, moduleValue, sourceValue } from './source-values.ts';
import { unknownCallResult } from './unknown-calls.ts';
import { validatedResult } from './validation-rules.ts';
import { constantValue, isTainted, listValue, UNKNOWN, type Value, withIdentity, withoutTaint } from './value.ts';

/** Functions whose result is what the function that they are given makes. */
const PRODUCERS = new NameTest(
  /^(supplyAsync|fromCallable|fromSupplier|defer|StartNew|Run|submit|callAsync|new:(Lazy|AsyncLazy|FutureTask))$/,
);
/** Methods of a tainted parameter whose result is tainted too. */
const ACCESSOR = new NameTest(
  /^(get|to|trim|strip|lower|upper|sub|slice|split|replace|concat|format|encode|decode|value|name|text|string|normalize|join|first|last|pop|shift|at|file_?name|original|path|params|query|body|read|content|data|fetch|dig|values|keys|iterator|next|chomp|downcase|upcase)/i,
);
/** Finds all `..` at the beginning of a path. */
const LEADING_DOTS = /^\/?\^\(+(?:\?:)?(?:\\\.\\\.|\\\.\{2\}).*\)\+/;
/** An empty queue or stack: what is put in is taken out at a known place. */
const CONTAINER =
  /(?:^new:|^|\.)(list\.New|Channel\.Create(?:Unb|B)ounded|BlockingCollection|(?:Spl|Concurrent|Blocking|Array|Linked)?(?:Blocking)?(?:Queue|Stack|Deque))(?:<.*>)?(?:\.new|\(\))?$/;
const TEXT_FUNCTION = /^(?:str|String|strval|repr|fmt\.Sprint)$/;
const PART_OF_REQUEST = new NameTest(/param|header|cookie|query|body|input|field|form|payload|upload/i);
const VALIDATION_FUNCTION = new NameTest(/^(validate|assert|ensure|verify)([A-Z_]|$)/);

/** The name of a header: a word alone may be the name of a value that the program keeps. */
const HEADER_NAME = /^(?:[a-z]+(?:-[a-z]+)+|accept|authorization|cookie|from|host|origin|referr?er|range)$/i;

const EXCEPTION_NAME = new NameTest(/^(?:new:)?\w*(?:Error|Exception|Failure)$/);

/** The value that a call returns. The first rule that knows the callee decides; without one, a function of this code is followed. */
export function callResult(evaluator: Evaluator, call: EvaluatedCall): Value {
  const { rules } = evaluator;
  const { node, callee, receiver, args, scope } = call;
  const { names } = callee;
  // An imported function is not a method of any object.
  const methods = !callee.isDeclared || node.callee.op !== 'variable';
  const values = args.filter(({ name }) => name !== 'body').map(({ value }) => value);
  const qualifiedName = names[0] ?? '';
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  const [first] = values;
  if ((qualifiedName === 'require' || qualifiedName === 'import') && first?.text != null) {
    return moduleValue(evaluator.rules, first.text);
  }
  const dynamic = attributeNamed(evaluator, call) ?? sentResult(evaluator, call);
  if (dynamic !== null) return dynamic;
  const schema = schemaResult(evaluator, call);
  if (schema !== null) return schema;
  // A function of a library that reads a message: `simpleParser(stream)`.
  const [level] = callee.isDeclared && !callee.fromSource ? rules.sources.find(names) : [];
  if (level !== undefined) return sourceValue(level, node);
  const hasGetters = receiver?.instanceOf != null || /^get(?:Message|Key|Value)$/.test(name);
  const accessed = receiver === null || !hasGetters || args.length > 0 ? null : fieldOf(receiver, name);
  if (accessed !== null) return accessed;
  if (receiver?.constant !== undefined) {
    const computed = textMethodResult(name, receiver, values);
    if (computed !== null) return computed;
  }
  if (/^(?:len|strlen)$/.test(qualifiedName) && typeof first?.constant === 'string')
    return constantValue(first.constant.length);
  if (rules.requestTexts !== null && first?.text != null && rules.requestTexts.test(first.text)) {
    return { ...UNKNOWN, taint: createTaint('request', node), fromSource: true };
  }
  if (rules.headerGetters.has(names) && HEADER_NAME.test(first?.text ?? '')) return sourceValue('request', node);
  if (rules.statementBuilders.has(names) && first !== undefined) return statementOf(first) ?? UNKNOWN;
  if (rules.patternConstructors.has(names) && first !== undefined) return { ...first, names: [] };
  if (rules.converters.has(names)) {
    // The message of the exception has the text.
    if (first !== undefined && isTainted(first)) evaluator.jumps.recordThrown({ ...UNKNOWN, taint: first.taint });
    scope.markChecked(argumentPaths(args.slice(0, 1)).map((path) => ({ path, kinds: INJECTION_KINDS })));
  }
  // It throws for a path outside of the folder.
  if (name === 'relative_to' && receiver?.isNormalizedPath === true)
    scope.markChecked(receiverPath(call).map((path) => ({ path, kinds: ['path'] })));
  const validated = validatedResult(evaluator, call);
  if (validated !== null) return validated;
  const read = readValue(name, first);
  if (read !== null) return read;
  const kept = keptInContext(evaluator, call);
  if (kept !== null) return kept;
  const deferred = deferredResult(evaluator, node, names, scope);
  if (deferred !== null) return deferred;
  const matched = foundByPattern(rules, call, name);
  if (matched !== null) return matched;
  const pairs = pairsOf(evaluator, qualifiedName, call);
  if (pairs !== null) return pairs;
  const split = splitExtension(call, values);
  if (split !== null) return split;
  if (rules.recordResults.has(names) && receiver !== null) return recordValue([[null, { ...receiver, names: [] }]]);
  const encoded = encodingResult(call);
  if (encoded !== null) return encoded;
  const sanitized = sanitizerResult(evaluator, call, values) ?? unquotedResult(call, name, values);
  if (sanitized !== null) return sanitized;
  const hasNumericOption = values.some((value) => rules.numericOption?.test(value.names[0] ?? '') === true);
  if (rules.scalarResults.has(names, methods) || hasNumericOption) return UNKNOWN;
  if (rules.terminators.has(names)) return UNKNOWN;
  const callback = args.find(({ result }) => result !== null)?.result ?? null;
  if (callback !== null && PRODUCERS.test(name)) return callback;
  if (callback !== null && name === 'orElseThrow')
    evaluator.jumps.recordThrown(evaluator.objects.detached(callback, scope));
  const mapped = MAP_FUNCTIONS.test(name) || EACH_FUNCTIONS.test(name) ? mappedValue(evaluator, call) : null;
  if (mapped !== null) return mapped;
  if (callback !== null && MAP_FUNCTIONS.test(name)) return listValue([callback]);
  if (callback !== null && REDUCE_FUNCTIONS.test(name)) return reducedValue(call, callback);
  if (callback !== null && FILTER_FUNCTIONS.test(name)) return filterResult(evaluator, call);
  if (FILTER_FUNCTIONS.test(name) && values.some(keepsLetters)) return UNKNOWN;
  // `strings.Map` leaves characters out that its function does not return.
  if (qualifiedName === 'strings.Map' && first?.fn != null && keepsRanges(first.fn.body)) return UNKNOWN;
  const harmless = MAP_FUNCTIONS.test(name) ? sanitizedElements(evaluator, call, values) : null;
  if (harmless !== null) return harmless;
  if (rules.patternTests.has(names, methods)) {
    const groups = groupsFound(call, name);
    if (groups !== null) return groups;
  }
  if (name === 'bind' && values.length === 1 && receiver !== null && (receiver.isDeclared || receiver.fn !== null))
    return receiver;
  const isMethodOfData = receiver !== null && isTainted(receiver);
  const replacesAll = evaluator.program.selfName !== 'this' || evaluator.program.implicitThis;
  const replaced = isMethodOfData || name === 'str_replace' ? values : values.slice(1);
  if (removesSeparators(name, replaced, replacesAll)) {
    return withoutTaint(propagate(isMethodOfData ? [receiver] : values.filter(isTainted)), ['path']);
  }
  if (callee.fromSource && isTainted(callee) && !rules.patternReplacers.has(names, methods)) {
    return taintedMethodResult(call, name);
  }
  const contained = containerResult(evaluator, call, values);
  if (contained !== null) return contained;
  if (rules.appenders.has(names, methods) && receiver !== null) return appendToReceiver(evaluator, call, values);
  const isEmpty = values.every(({ constant }) => constant !== undefined);
  if (HOLDER.test(qualifiedName)) return holder(callback ?? first ?? UNKNOWN);
  const container = isEmpty ? CONTAINER.exec(qualifiedName)?.[1] : undefined;
  if (container !== undefined) {
    // Other functions take from a queue that is made outside of them.
    return scope === evaluator.top
      ? evaluator.handed.queue(node, container)
      : withIdentity({ ...listValue([]), typeName: container });
  }
  if (qualifiedName === 'new' && node.resultType !== undefined) return zeroValue(evaluator, node.resultType);
  if (qualifiedName === 'make') {
    const { type } = node.args[0]?.value.syntax ?? {};
    if (type === 'channel_type') return evaluator.handed.queue(node, 'chan');
    if (type === 'slice_type') return withIdentity(listValue([]));
    if (type === 'map_type') return withIdentity(recordValue([]));
  }
  const record = recordOfPairs(qualifiedName, first);
  if (record !== null) return record;
  if (rules.listConstructors.has(names, methods)) {
    return withIdentity({
      ...(values.length === 1 && first?.elements != null ? first : listValue(values)),
      typeName: createdType(name),
    });
  }
  // The receiver is an operand where it is data: the `path` of `path.join` is not.
  const isData =
    receiver !== null &&
    (isTainted(receiver) ||
      receiver.hidden !== NO_TAINT ||
      receiver.text !== null ||
      receiver.elements !== null ||
      receiver.unfollowed !== null);
  const operands = (inputs: readonly Value[]): Value[] => flattenLists(isData ? [receiver, ...inputs] : inputs);
  if (rules.patternReplacers.has(names, methods)) {
    // Without the flag `g`, JavaScript replaces the first match alone.
    const isFirstAlone = !replacesAll && name === 'replace' && /^\/.*\/[a-fh-z]*$/s.test(first?.text ?? '');
    const isSafe = operands(values).some(({ text }) => text !== null && keepsOnlyWordCharacters(text));
    if (isSafe && !isFirstAlone) return UNKNOWN;
    const replaced = propagate(operands(values));
    // `path.normalize(name).replace(/^(\.\.\/)+/, '')`
    if (receiver?.isNormalizedPath === true && LEADING_DOTS.test(first?.text ?? ''))
      return withoutTaint(replaced, ['path']);
    return quotesForShell(values) ? withoutTaint(replaced, ['command']) : replaced;
  }
  if (rules.pathNormalizers.has(names, methods)) {
    return normalizedPath(call, operands(args.map(({ value }) => value)));
  }
  if (rules.relativePaths.has(names, methods)) {
    return { ...concatValues(flattenLists(values)), isNormalizedPath: true, refines: argumentPaths(args) };
  }
  if (/replace|gsub/i.test(name) && quotesForShell(values))
    return withoutTaint(propagate(operands(values)), ['command']);
  if (rules.sqlFormats.has(names) && first !== undefined)
    return formatted(first, flattenLists(values.slice(1)), null, SQL_QUOTING);
  if (rules.concatenators.has(names, methods)) {
    const texts = values.map((value) => textOf(evaluator, value, scope));
    return concatenation(name, isData ? receiver : null, call, texts);
  }
  if (rules.propagators.has(names, methods)) {
    const text = first !== undefined && TEXT_FUNCTION.test(qualifiedName) ? textOf(evaluator, first, scope) : first;
    if (text !== undefined && text !== first) return text;
    if (values.length === 0 && receiver?.elements != null) return receiver;
    const refines = receiver?.isNormalizedPath === true ? [...receiver.refines, ...receiverPath(call)] : [];
    const passed = writtenText(name, { ...propagate(operands(values)), refines }, first);
    // A whole URL begins with its scheme.
    const isUrl = name === 'toString' && receiver?.names.includes('new:URL()') === true;
    return isUrl ? withoutTaint(passed, ['option']) : passed;
  }
  if (name === 'new:Promise' && callback !== null) return { ...callback, names: [] };
  if (node.callee.op === 'variable' && EXCEPTION_NAME.test(name)) return exceptionValue(values);
  if (name.startsWith('new:')) return withIdentity(newObject(evaluator, call, name.slice(4)));
  if (VALIDATION_FUNCTION.test(name) && !rules.guards.has(names)) {
    scope.markChecked(argumentPaths(args).map((path) => ({ path, kinds: INJECTION_KINDS })));
  }
  if (isTainted(callee) && callee.taint.sql?.level !== 'free') return taintedMethodResult(call, name);
  // A wrapper: `promisify(exec)` is called like `exec`.
  if (first?.isDeclared === true && values.length === 1 && first.names.length > 0) return first;
  return unknownCallResult(evaluator, call);
}

/** The field that a method without arguments stands for where the class has no such method: `record.name()`, `bean.getName()`. */
function fieldOf({ fields, instanceOf }: Value, method: string): Value | null {
  if (fields === null || instanceOf?.methods.has(method) === true) return null;
  const plain = method.replace(/^(get|is)(?=[A-Z])/, '');
  return fields.get(method) ?? fields.get(plain.charAt(0).toLowerCase() + plain.slice(1)) ?? null;
}

/** The text that is made of the values: joined, or put in the places of a format. `receiver`: where it is a part of the text. */
function concatenation(name: string, receiver: Value | null, { args }: EvaluatedCall, values: readonly Value[]): Value {
  const [first] = values;
  const whole = receiver === null ? values : [receiver, ...values];
  if (first === undefined || !/printf$|^(?:safe_)?substitute$|^format(?:_map)?$/i.test(name))
    return concatValues(flattenLists(whole));
  // `'...'.format(value, name=value)`, `sprintf('...', value)`
  const [format, ...placed] =
    receiver === null ? values : [receiver, ...args.filter((one) => one.name === null).map(({ value }) => value)];
  const isMapping = /_map$|substitute$/.test(name) && first.fields !== null;
  const named = new Map(isMapping ? first.fields : []);
  for (const argument of args) if (argument.name !== null) named.set(argument.name, argument.value);
  const positional = isMapping ? [] : flattenLists(placed);
  return name.endsWith('substitute') ? substituted(format!, positional, named) : formatted(format!, positional, named);
}

/** The type of `new T`, of other calls none. */
function createdType(name: string): string | null {
  return name.startsWith('new:') ? name.slice(4) : null;
}

function appendToReceiver(
  evaluator: Evaluator,
  { node: { callee }, receiver, scope }: EvaluatedCall,
  values: readonly Value[],
): Value {
  const appended = appendValues(receiver!, values);
  let target = callee.op === 'member' ? callee.object : callee;
  while (target.op === 'call' && target.callee.op === 'member') target = target.callee.object;
  if (target.op === 'variable' || target.op === 'member') {
    changeObject(evaluator, target, receiver!, { ...appended, names: receiver!.names }, scope);
  }
  return appended;
}

/** The result of a method of a tainted value. */
function taintedMethodResult({ node, callee }: EvaluatedCall, name: string): Value {
  const level = anySource(callee.taint)?.level;
  if (level === undefined || level === 'free') return UNKNOWN;
  if (level === 'parameter' && !ACCESSOR.test(name)) return UNKNOWN;
  const source = anySource(callee.taint);
  // `wrapper.getTheParameter('name')`, where the wrapper holds the request.
  const isPart = source?.isWholeRequest === true && PART_OF_REQUEST.test(name);
  const taint = callee.fromSource || isPart ? createTaint(level, node) : callee.taint;
  return { ...UNKNOWN, taint, hidden: callee.hidden, fromSource: callee.fromSource, isBuilt: callee.isBuilt };
}

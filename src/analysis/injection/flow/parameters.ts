import type { CompiledRules } from '../rules/compiled-rules.ts';
import { inputsOf } from './declared-inputs.ts';
import type { Evaluator } from './evaluator.ts';
import type { IrFunction, IrNode, IrParameter } from '../ir/ir.ts';
import { isTainted, literalValue, UNKNOWN, type Value, withoutTaint } from './value.ts';
import type { InjectionKind, SourceLevel } from '../taint.ts';
import { excludedKinds, isHarmlessMatch, isNarrow } from './argument-tests.ts';
import { mergeValues } from './merge-values.ts';
import { holdsRequest } from './snapshots.ts';
import { createTaint } from './source-values.ts';
import { CHECKED_REQUEST, formFields } from './validation-rules.ts';

/** Parameters that hold a folder: callers rarely let others choose it. */
const FOLDER_NAME = /(dir|directory|root|base|folder|cwd|home|prefix|dest|destination)$/i;

/** Types of parameters that are data, whatever their name. */
const TEXT_TYPE = /^\??(str|string|String|bytes|CharSequence)\??$/;
/** Names of services elsewhere, which are data where a framework fills the parameter from a request. */
const DATA_NAME = /^\$?(path|event|options|opts|model|service|client|config|settings|table|id|name)$/;

/** The same for the callback of a route. */
const HANDLED_NAME = /^\$?(path|id|name)$/;

/** Types that a framework fills from the request, unlike the request itself. */
const BOUND_TYPE =
  /^(?!Http|Servlet|Web|Server|Client|Next|Fastify|Express|Native|Portlet)\w+(Request|Model|Dto|DTO|Command|Form|Input|Payload|Query|Options)$/;

/** Annotations by which a framework gives a parameter a number, an identifier or one of an enumeration alone. */
const CONVERTED = /\bParse(?:Int|Float|Bool|UUID|Enum|Date)Pipe\b|\bFILTER_VALIDATE_(?:INT|FLOAT|BOOL)/;

/** A pattern that the whole text matches: `@Pattern(regexp = "[a-z]+")`, `[RegularExpression("[a-z]+")]`. */
const WHOLE_PATTERN =
  /(?:@Pattern\s*\([^()]*?\bregexp\s*=|\bRegularExpression(?:Attribute)?\s*\()\s*@?"((?:[^"\\]|\\.)*)"/;
/** A pattern that is searched for: `Query(pattern='^[a-z]+$')`. */
const SEARCHED_PATTERN =
  /\b(?:Query|Path|Header|Form|Cookie|Body|Param|StringConstraints|constr)\([^()]*\b(?:pattern|regex)\s*=\s*r?(['"])(.*?)\1/;

/** The value of a parameter whose caller is not known. `level`: how it counts unless its type, name or annotations say more. */
export function parameterValue(
  evaluator: Evaluator,
  fn: IrFunction,
  parameter: IrParameter,
  index: number,
  level: 'parameter' | 'request',
): Value {
  const value = uncheckedValue(evaluator, fn, parameter, index, level);
  const kinds = isTainted(value) ? checkedKinds(evaluator.rules, parameter.annotations) : [];
  return kinds.length === 0 ? value : withoutTaint(value, kinds);
}

/** The kinds of harm that a pattern in the annotations excludes. */
function checkedKinds(rules: CompiledRules, annotations: string): readonly InjectionKind[] {
  const whole = WHOLE_PATTERN.exec(annotations)?.[1]?.replaceAll('\\\\', '\\');
  const pattern = whole ?? SEARCHED_PATTERN.exec(annotations)?.[2];
  if (pattern === undefined || !isNarrow(pattern)) return [];
  return whole !== undefined || isHarmlessMatch(rules, literalValue(pattern)) ? excludedKinds(pattern) : [];
}

function uncheckedValue(
  evaluator: Evaluator,
  fn: IrFunction,
  parameter: IrParameter,
  index: number,
  level: 'parameter' | 'request',
): Value {
  const { rules } = evaluator;
  const { target, type, annotations, isSafeType } = parameter;
  if (target.op === 'record') return patternValue(evaluator, fn, parameter, index, level);
  if (target.op !== 'variable') return UNKNOWN;
  const typed: Value = { ...UNKNOWN, typeName: type, names: [target.name] };
  const isOfRequest = isRequestMethod(evaluator, fn);
  const isAnnotated = isOfRequest || rules.requestFunctionAnnotation?.test(fn.annotations) === true;
  const input = declaredInput(evaluator, fn, parameter, target.name);
  if (input !== null) return { ...input, names: typed.names };
  if (isSafeType || CONVERTED.test(annotations) || isNumericInRoute(rules, fn, target.name)) return typed;
  if (rules.requestParameterAnnotation?.test(annotations) === true) {
    return { ...typed, taint: createTaint('request', target) };
  }
  const form = formFields(evaluator, type, target);
  if (form !== null) return { ...typed, names: [target.name, '$request'], fields: form };
  const dependency = /\bDepends\(\s*(\w*)\s*\)/.exec(annotations)?.[1];
  if (dependency !== undefined) return dependencyValue(evaluator, dependency || type, typed);
  const isTrusted = type !== null && rules.trustedTypes.test(type) && !BOUND_TYPE.test(type);
  if (isOfRequest && !isTrusted && (index === 0 || !rules.trustedNames.test(target.name)))
    return { ...typed, taint: createTaint('request', target) };
  // May be anything, but as a path it is what the caller means.
  const isPathName = /^\$?path$/.test(target.name);
  const isBound = isAnnotated && BOUND_TYPE.test(type ?? '');
  if (type !== null && rules.trustedTypes.test(type) && !isBound) return { ...typed, names: [target.name, type] };
  const isData =
    isLambdaEvent(fn, index) ||
    // What the address of a request holds.
    (target.name === 'kwargs' && isBesideRequest(evaluator, fn, parameter)) ||
    TEXT_TYPE.test(type ?? '') ||
    isBound ||
    (isAnnotated && DATA_NAME.test(target.name)) ||
    (level === 'request' && HANDLED_NAME.test(target.name));
  if ((rules.trustedNames.test(target.name) && !isData && !isPathName) || /\bDepends\(/.test(annotations)) return typed;
  const actual: SourceLevel =
    isFilled(evaluator, fn, parameter) || isAnnotated || isLambdaEvent(fn, index) ? 'request' : level;
  if (actual === 'parameter' && type !== null && evaluator.program.classes.get(type)?.isEnum === true) return typed;
  const value = { ...typed, taint: createTaint(actual, target) };
  // The folder in which the objects of a class work is given to its constructor.
  const isConstructor = fn.owner !== null && evaluator.objects.classes.constructors(fn.owner).includes(fn);
  return actual === 'parameter' && (isPathName || isConstructor || FOLDER_NAME.test(target.name))
    ? withoutTaint(value, ['path'])
    : value;
}

/** What is declared in Ruby of a parameter: of an argument, of all (`**args`), or of the parameters of a request; null: nothing. */
function declaredInput(
  evaluator: Evaluator,
  { name, owner }: IrFunction,
  { annotations }: IrParameter,
  parameter: string,
): Value | null {
  if (owner === null || !evaluator.program.callsByName) return null;
  if (/^req(?:uest)?$/.test(parameter)) {
    const params = inputsOf(evaluator, owner, 'params', evaluator.top);
    return params === null ? null : { ...UNKNOWN, fields: new Map([['params', params]]), typeName: CHECKED_REQUEST };
  }
  if (!annotations.startsWith('**'))
    return inputsOf(evaluator, owner, name ?? '', evaluator.top)?.fields?.get(parameter) ?? null;
  // A class that extends this one declares more.
  const { objects, program } = evaluator;
  const classes = [...program.classes.values()].filter((one) => objects.classes.lineage(one).includes(owner));
  const records = classes
    .map((one) => inputsOf(evaluator, one, name ?? '', evaluator.top))
    .filter((one) => one !== null);
  return records.length === 0 ? null : mergeValues(records);
}

/** What FastAPI makes by a function or class of this code, whose own parameters it fills from the request. */
function dependencyValue(evaluator: Evaluator, name: string | null, typed: Value): Value {
  const { objects, program, top } = evaluator;
  const owner = objects.classes.named(name);
  if (owner !== null) {
    const [fn] = objects.classes.constructors(owner);
    // A model, whose constructor takes its fields.
    if (fn === undefined)
      return { ...typed, typeName: owner.name, taint: createTaint('request', owner.fields[0] ?? program.body) };
    const args = fn.parameters.map((parameter, index) => {
      const value = parameterValue(evaluator, fn, parameter, index, 'request');
      return { name: null, node: parameter.target, value, result: null };
    });
    return objects.construct(owner, args, top);
  }
  const fn = program.functions.get(name ?? '')?.find((one) => one.owner === null);
  if (fn === undefined) return typed;
  const made = evaluator.functions.evaluateInPlace(fn, 'request', top);
  return holdsRequest(made) ? { ...made, names: typed.names } : typed;
}

/** Whether a framework calls the method with data from outside. */
function isRequestMethod(
  { rules: { requestMethods, requestBesideType }, objects }: Evaluator,
  fn: IrFunction,
): boolean {
  const { owner, name, parameters } = fn;
  if (requestBesideType !== null && parameters.some(({ type }) => type !== null && requestBesideType.test(type)))
    return true;
  if (requestMethods === null || owner === null || fn.isPrivate || name === owner.name) return false;
  if (/\b(?:private|protected|static)\b/.test(fn.annotations)) return false;
  const classes = objects.classes.lineage(owner);
  const supers = classes.flatMap((one) => [...one.supers, ...(one.annotations.match(/@[\w.]+/g) ?? [])]);
  // A handler of web.py is known by its name alone.
  return ['', ...supers].some((one) => requestMethods.test(`${one}#${name}`));
}

/** A framework fills the parameter from a request. */
function isFilled(evaluator: Evaluator, fn: IrFunction, parameter: IrParameter): boolean {
  return isBesideRequest(evaluator, fn, parameter) || isServerAction(evaluator, fn);
}

/** A function that clients call over the network, with arguments of their own: `'use server'` in it, or at the head of its file. */
function isServerAction({ program }: Evaluator, { body, isPrivate }: IrFunction): boolean {
  return beginsWithDirective(body) || (!isPrivate && beginsWithDirective(program.body));
}

function beginsWithDirective(node: IrNode): boolean {
  const first = node.op === 'block' ? node.statements[0] : node;
  return first?.op === 'string' && first.text === 'use server';
}

/** Because of what stands before it. */
function isBesideRequest({ rules }: Evaluator, fn: IrFunction, parameter: IrParameter): boolean {
  const first = fn.parameters.find(({ target }) => target.op !== 'variable' || !/^(self|cls)$/.test(target.name));
  return (
    first !== parameter &&
    first?.target.op === 'variable' &&
    rules.requestParameterName?.test(first.target.name) === true
  );
}

/** A parameter that is taken apart where it is declared: `({ query }, response)` of a handler, `({ name })` of any function. */
function patternValue(
  evaluator: Evaluator,
  fn: IrFunction,
  parameter: IrParameter,
  index: number,
  level: 'parameter' | 'request',
): Value {
  const { rules } = evaluator;
  const { target, annotations } = parameter;
  // The first one may be the request, of which rules know the parts.
  const pattern: Value = index === 0 ? { ...UNKNOWN, names: ['req'] } : UNKNOWN;
  if (target.op !== 'record') return pattern;
  if (rules.requestParameterAnnotation?.test(annotations) === true)
    return { ...UNKNOWN, taint: createTaint('request', target) };
  const actual = isFilled(evaluator, fn, parameter) ? 'request' : level;
  const fields = new Map<string, Value>();
  for (const { key, value } of target.entries) {
    if (key === null || rules.trustedNames.test(key) || rules.sources.find([`req.${key}`]).length > 0) continue;
    const field = { ...UNKNOWN, taint: createTaint(actual, value) };
    fields.set(key, actual === 'parameter' && FOLDER_NAME.test(key) ? withoutTaint(field, ['path']) : field);
  }
  return fields.size === 0 ? pattern : { ...pattern, fields };
}

function isNumericInRoute(
  { numericRouteParameter }: CompiledRules,
  { annotations }: IrFunction,
  name: string,
): boolean {
  return (
    numericRouteParameter !== null &&
    [...annotations.matchAll(numericRouteParameter)].some(([, parameter]) => parameter === name.replace(/^\$/, ''))
  );
}

/** The first parameter of an AWS Lambda handler, `(event, context)` or, without a type, `(event)`. */
function isLambdaEvent({ parameters }: IrFunction, index: number): boolean {
  const [first, second] = parameters.map(({ target }) =>
    target.op === 'variable' ? target.name.replace(/^\$|:$/g, '') : '',
  );
  if (index !== 0 || !/^_?(?:event|evt)$/.test(first ?? '')) return false;
  return second === undefined ? parameters[0]?.type === null : /^_*(context|ctx)$/.test(second);
}

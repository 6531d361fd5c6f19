import type { Findings } from '../findings.ts';
import { accessPathOf } from '../ir/access-path.ts';
import { type IrClass, type IrFunction, type IrNode, type IrNodeOf, type IrParameter, PASSED_BLOCK } from '../ir/ir.ts';
import { anySource, INJECTION_KINDS } from '../taint.ts';
import { typedValue } from './assignments.ts';
import type { CallArgument, CallTarget, ParameterSource, RouteSchemas } from './call-types.ts';
import { inEither } from './either.ts';
import type { Evaluator, FunctionCalls } from './evaluator.ts';
import { mergeValues, recordValue } from './merge-values.ts';
import { parameterValue } from './parameters.ts';
import { mergeReturned } from './returned-tests.ts';
import { checkedRequest } from './route-schemas.ts';
import type { Scope } from './scope.ts';
import { isTainted, listValue, scalarPart, UNKNOWN, UNKNOWN_PART, type Value, withIdentity } from './value.ts';

/** Functions inside functions. */
const MAX_FUNCTION_NESTING = 60;
/** How many calls deep functions of the same code are followed. */
const MAX_CALL_DEPTH = 8;
/** In calls so many nodes are evaluated, and a part of the program's size: in those that request data enters, and in others. */
const MAX_REQUEST_STEPS = 300_000;
const MAX_OTHER_STEPS = 20_000;
/** Of functions that a call may reach, so many are followed. */
const MAX_TARGETS = 10;

/** Evaluates the functions of the program: by themselves, and where they are called. */
export class CalledFunctions implements FunctionCalls {
  readonly #evaluator: Evaluator;
  readonly #active: IrFunction[] = [];
  readonly #runs = new Map<IrFunction, number>();
  #callDepth = 0;
  #stepsInCalls = 0;
  /** The steps before the outermost call that is being followed. */
  #callStart = 0;
  /** Whether calls were not followed because the program has so many. */
  isCutShort = false;
  /** Only what uses request data that another function has set is evaluated. */
  isSecondRound = false;

  constructor(evaluator: Evaluator) {
    this.#evaluator = evaluator;
  }

  /** The class whose method is being evaluated. */
  get currentClass(): IrClass | null {
    return this.#active.findLast(({ owner }) => owner !== null)?.owner ?? null;
  }

  /** How often the function was evaluated; 0 for none. */
  runsOf(fn: IrFunction | null): number {
    return fn === null ? 0 : (this.#runs.get(fn) ?? 0);
  }

  isActive(fn: IrFunction): boolean {
    return this.#active.includes(fn);
  }

  guardRecursion<Result>(fn: IrFunction, read: () => Result): Result | null {
    if (this.isActive(fn)) return null;
    this.#active.push(fn);
    const result = read();
    this.#active.pop();
    return result;
  }

  /**
   * Evaluates a function where it is written, for callers that are not known, or a callback for what it is passed to. `schemas`: what
   * the route lets through to it.
   */
  evaluateInPlace(fn: IrFunction, source: ParameterSource, scope: Scope, schemas: RouteSchemas | null = null): Value {
    const { objects, program } = this.#evaluator;
    // All else was found before.
    if (this.isSecondRound && !objects.sharedNames.isUsedIn(fn, program.usedNames)) return UNKNOWN;
    const self = fn.owner === null ? null : this.#evaluator.objects.symbolic(fn.owner, fn.selfName ?? 'this', scope);
    return this.#evaluate({ fn, outside: scope, self }, source, scope, schemas) ?? UNKNOWN;
  }

  /** What one of these functions returns for the arguments; null: it is not followed. */
  follow(targets: readonly CallTarget[], args: readonly CallArgument[], scope: Scope): Value | null {
    const followed = targets.filter(({ fn }) => !fn.isAbstract && !this.isActive(fn));
    if (followed.length === 0 || followed.length > MAX_TARGETS) return null;
    if (this.#callDepth >= MAX_CALL_DEPTH) return null;
    if (this.#callDepth === 0) this.#callStart = this.#evaluator.steps;
    const limit = args.some(({ value }) => carriesRequest(value)) ? MAX_REQUEST_STEPS : MAX_OTHER_STEPS;
    const spent = this.#stepsInCalls + this.#evaluator.steps - this.#callStart;
    if (spent > limit + this.#evaluator.program.size / 8) {
      this.isCutShort = true;
      return null;
    }
    this.#callDepth += 1;
    const made = inEither(scope, followed, (target, state) => this.#evaluate(target, target.args ?? args, state));
    this.#callDepth -= 1;
    if (this.#callDepth === 0) this.#stepsInCalls += this.#evaluator.steps - this.#callStart;
    const values = made.filter((value) => value !== null);
    return values.length === 0 ? null : mergeValues(values);
  }

  #evaluate(
    { fn, outside, self }: CallTarget,
    source: ParameterSource,
    scope: Scope,
    schemas: RouteSchemas | null = null,
  ): Value | null {
    if (this.isActive(fn)) return null;
    if (this.#active.length >= MAX_FUNCTION_NESTING) {
      this.#evaluator.noteTooNested();
      return null;
    }
    const evaluator = this.#evaluator;
    const inner = scope.functionLayer(outside ?? evaluator.top, fn.selfName, self);
    this.#active.push(fn);
    this.#runs.set(fn, this.runsOf(fn) + 1);
    if (fn.selfName !== null && self !== null) inner.set(fn.selfName, self);
    if (typeof source === 'string') {
      for (const [index, parameter] of fn.parameters.entries()) {
        const given = parameterValue(evaluator, fn, parameter, index, source);
        const isChecked = schemas !== null && index === 0;
        const value = isChecked ? checkedRequest(evaluator, given, schemas, parameter.target) : given;
        const typed = parameter.type === null ? value : typedValue(evaluator, value, parameter.type);
        evaluator.bind(parameter.target, typed, inner, true);
      }
    } else this.#bindArguments(fn, source, inner);
    const entered = fn.parameters.map(({ target }) => (target.op === 'variable' ? inner.get(target.name) : undefined));
    if (typeof source !== 'string' && fn.isPrivate) noteKnownParameters(evaluator.findings, fn, inner);
    const { exitScope, values, yielded, yieldsKeys } = evaluator.jumps.withTarget('function', scope, () =>
      evaluator.evaluate(fn.body, inner),
    );
    this.#active.pop();
    const ends = [inner, exitScope].filter((state) => state !== null && state.exited === null) as Scope[];
    if (typeof source !== 'string') for (const state of ends) scope.mergeWrites(state, fn.locals, fn.selfName);
    if (typeof source !== 'string') {
      giveOutArguments(evaluator, fn, source, ends, scope);
      markCheckedArguments(fn, source, entered, ends, scope);
    }
    if (typeof source === 'string') {
      const isConstructor = fn.owner !== null && evaluator.objects.classes.constructors(fn.owner).includes(fn);
      evaluator.objects.share(fn.owner, self ?? UNKNOWN, ends, isConstructor);
      // An object that a method makes of its own class: `static fromRequest`.
      for (const made of values)
        if (made.instanceOf !== null && made.instanceOf === fn.owner)
          evaluator.objects.share(fn.owner, made, ends, false);
      for (const state of ends) scope.shareWrites(state, fn.locals, evaluator.objects.sharedNames);
      // A closure may run or not.
      if (fn.owner === null && ends.length > 0) scope.joinObjects([...ends, scope.branch()]);
    } else if (ends.length > 0) scope.joinObjects(ends);
    if (yielded.length > 0) return generatedValue(fn, { yielded, yieldsKeys, returned: values });
    const result = values.length === 0 ? UNKNOWN : mergeReturned(values);
    return fn.isSafeResult ? scalarPart(result) : result;
  }

  #bindArguments(fn: IrFunction, args: readonly CallArgument[], inner: Scope): void {
    const positional = args.filter(({ name }) => name === null);
    const block = args.findLast(({ node, value }) => node.op === 'function' && value.fn === node);
    if (block !== undefined) inner.set(PASSED_BLOCK, block.value);
    const named = new Map(args.filter(({ name }) => name !== null).map(({ name, value }) => [name!, value]));
    for (const [index, parameter] of fn.parameters.entries()) {
      const name = parameter.target.op === 'variable' ? parameter.target.name.replace(/^\$/, '') : '';
      const own = named.get(name);
      named.delete(name);
      const value = parameter.isRest
        ? listValue(positional.slice(index).map((argument) => argument.value))
        : (own ?? positional[index]?.value ?? this.#missingArgument(parameter, named, inner));
      this.#evaluator.bind(parameter.target, ofParameter(this.#evaluator, parameter, value), inner, true);
    }
  }

  /** Without an argument a parameter has its default; one without a default gets the named arguments that no other one takes. */
  #missingArgument({ defaultValue, isSafeType }: IrParameter, named: Map<string, Value>, inner: Scope): Value {
    if (defaultValue !== null) return this.#evaluator.evaluate(defaultValue, inner);
    if (named.size === 0 || isSafeType) return UNKNOWN;
    const rest = recordValue([...named]);
    named.clear();
    return rest;
  }
}

/** The parameters that calls in the text give fixed texts or request data: what else callers may pass does not count. */
function noteKnownParameters(findings: Findings, { parameters }: IrFunction, inner: Scope): void {
  for (const target of variablesOf(parameters)) {
    const value = inner.getLocal(target.name);
    if (value === undefined) continue;
    const isFixed = value.text !== null && !value.text.includes(UNKNOWN_PART);
    const isMade = value.unfollowed === null && value.instanceOf === null;
    if (isFixed || isMade || isTainted(value) || value.elements !== null) findings.addKnownParameter(target.syntax);
    else findings.addUnknownParameter(target.syntax);
  }
}

/** The variables of the caller that the function gave another value. */
function giveOutArguments(
  evaluator: Evaluator,
  { parameters }: IrFunction,
  args: readonly CallArgument[],
  ends: readonly Scope[],
  scope: Scope,
): void {
  if (ends.length === 0 || !args.some(({ out }) => out !== undefined)) return;
  const positional = args.filter(({ name }) => name === null);
  for (const [index, { target }] of parameters.entries()) {
    const out = positional[index]?.out;
    if (out === undefined || target.op !== 'variable') continue;
    evaluator.bind(out, mergeValues(ends.map((end) => end.get(target.name) ?? UNKNOWN)), scope);
  }
}

const variables = new WeakMap<readonly IrParameter[], readonly IrNodeOf<'variable'>[]>();

/** The variables that the parameters set. Asked for at each call. */
function variablesOf(parameters: readonly IrParameter[]): readonly IrNodeOf<'variable'>[] {
  let found = variables.get(parameters);
  if (found === undefined) {
    found = parameters.flatMap(({ target }) => boundVariables(target));
    variables.set(parameters, found);
  }
  return found;
}

/** The variables that a parameter sets: one, or those of a pattern. */
function boundVariables(target: IrNode): IrNodeOf<'variable'>[] {
  if (target.op === 'variable') return [target];
  if (target.op === 'assign') return boundVariables(target.target);
  return target.op === 'record' ? target.entries.flatMap(({ value }) => boundVariables(value)) : [];
}

/** What a function tests or it does not return, holds after its call for the argument too. */
function markCheckedArguments(
  { parameters, assigned }: IrFunction,
  args: readonly CallArgument[],
  entered: readonly (Value | undefined)[],
  ends: readonly Scope[],
  scope: Scope,
): void {
  if (ends.length === 0) return;
  const positional = args.filter(({ name }) => name === null);
  for (const [index, { target }] of parameters.entries()) {
    const before = entered[index];
    const argument = positional[index]?.node;
    if (before === undefined || argument === undefined || target.op !== 'variable' || assigned.has(target.name))
      continue;
    const path = accessPathOf(argument);
    if (path === null || !isTainted(before)) continue;
    const kinds = INJECTION_KINDS.filter(
      (kind) =>
        before.taint[kind] !== undefined && ends.every((end) => end.get(target.name)?.taint[kind] === undefined),
    );
    if (kinds.length > 0) scope.markChecked([{ path, kinds }]);
  }
}

/** A generator is the list of what it yields; with keys of its own a value whose keys and elements are that; a context manager the value that it yields. */
function generatedValue(
  { annotations }: IrFunction,
  { yielded, yieldsKeys, returned }: { yielded: readonly Value[]; yieldsKeys: boolean; returned: readonly Value[] },
): Value {
  const each = mergeValues(yielded);
  if (yieldsKeys || /contextmanager\b/.test(annotations)) return each;
  return mergeValues([withIdentity(listValue([each])), ...returned.filter(isTainted)]);
}

/** Request data, or a function that may read it. */
function carriesRequest({ taint, hidden, fn }: Value): boolean {
  const source = anySource(taint) ?? anySource(hidden);
  return fn !== null || source?.level === 'request' || source?.level === 'local';
}

/** The argument as the parameter has it: with the declared type, which may allow no text. */
function ofParameter(evaluator: Evaluator, { type, isSafeType }: IrParameter, value: Value): Value {
  if (isSafeType) return { ...UNKNOWN, text: value.text, constant: value.constant, typeName: type };
  if (type === null) return value;
  const typed = typedValue(evaluator, value, type);
  return value.typeName === null || typed.instanceOf !== value.instanceOf ? typed : value;
}

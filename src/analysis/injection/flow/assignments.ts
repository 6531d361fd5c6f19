import { accessPathOf } from '../ir/access-path.ts';
import { fieldName } from '../ir/class-fields.ts';
import type { IrNode, IrNodeOf } from '../ir/ir.ts';
import type { Span } from '../syntax-tree.ts';
import { INJECTION_KINDS, mergeTaints, withStep } from '../taint.ts';
import type { Evaluator } from './evaluator.ts';
import { keyOf } from './fields.ts';
import { appendValues } from './join-values.ts';
import { mergeValues, recordValue } from './merge-values.ts';
import { refinementOf } from './refinements.ts';
import { withPlacesNamed } from './returned-tests.ts';
import type { Scope } from './scope.ts';
import { reportTaintedAssignment } from './sinks.ts';
import { isContextObject, memberOf, withoutPlace } from './source-values.ts';
import { isTainted, listValue, scalarPart, UNKNOWN, type Value, withIdentity } from './value.ts';

export function evaluateAssignment(evaluator: Evaluator, node: IrNodeOf<'assign'>, scope: Scope): Value {
  const assigned = evaluator.evaluate(node.value, scope);
  const refinement = isTest(node.value) ? refinementOf(evaluator, node.value, scope) : null;
  const value =
    refinement !== null && refinement.whenTrue.length + refinement.whenFalse.length > 0
      ? { ...assigned, refinement }
      : assigned;
  const declares = node.declares === true;
  if (node.how === 'set') {
    // A field that is declared without a value keeps the value that a method set.
    if (node.value.op === 'empty' && node.target.op === 'variable' && scope.hasOwn(node.target.name)) return value;
    evaluator.bind(node.target, node.type === null ? value : typedValue(evaluator, value, node.type), scope, declares);
    markErrorTest(evaluator, node, scope);
    return value;
  }
  const before = evaluator.evaluate(node.target, scope);
  const after = node.how === 'append' ? appendValues(before, [value]) : mergeValues([before, value]);
  changeObject(evaluator, node.target, before, after, scope);
  return after;
}

/** `number, err := strconv.Atoi(text)`: without an error the text is a number. */
function markErrorTest(evaluator: Evaluator, { target, value }: IrNodeOf<'assign'>, scope: Scope): void {
  if (value.op !== 'call' || evaluator.rules.errorTests.isEmpty) return;
  const error = target.op === 'list' ? target.elements.at(-1) : target;
  const path = value.args[0] === undefined ? null : accessPathOf(value.args[0].value);
  if (error?.op !== 'variable' || path === null) return;
  const name = value.callee.op === 'member' && value.callee.object.op === 'variable' ? value.callee : null;
  if (name === null || !evaluator.rules.errorTests.has(evaluator.evaluate(name, scope).names)) return;
  const before = scope.get(error.name) ?? UNKNOWN;
  scope.set(error.name, { ...before, refinement: { whenTrue: [], whenFalse: [{ path, kinds: INJECTION_KINDS }] } });
}

/** The value in a variable of this type; request data in an object of this code fills its fields. */
export function typedValue(evaluator: Evaluator, value: Value, type: string): Value {
  const { objects, program } = evaluator;
  const isSafe =
    program.enforcesTypes && (program.scalarTypes.test(type) || objects.classes.named(type)?.isEnum === true);
  if (isSafe) return { ...scalarPart(value), typeName: type };
  if (value === UNKNOWN && program.hasZeroValues) return zeroValue(evaluator, type);
  const owner = value.instanceOf === null && isTainted(value) ? objects.classes.named(type) : null;
  return owner === null ? { ...value, typeName: type } : objects.tainted(owner, value);
}

/** What a variable of this type holds before a value is set. */
export function zeroValue({ objects }: Evaluator, type: string): Value {
  if (type.startsWith('[]')) return withIdentity({ ...listValue([]), typeName: type });
  const owner = type.startsWith('*') ? null : objects.classes.named(type);
  return owner === null ? { ...UNKNOWN, typeName: type } : objects.blank(owner);
}

/** Gives the object that a node has another state: for all that hold it, where that is known. */
export function changeObject(evaluator: Evaluator, node: IrNode, before: Value, after: Value, scope: Scope): void {
  const { identity } = before;
  if (identity === null) evaluator.bind(node, after, scope);
  else scope.setObject(identity, { ...after, identity });
}

export function bindTarget(evaluator: Evaluator, target: IrNode, value: Value, scope: Scope, declares: boolean): void {
  switch (target.op) {
    case 'variable':
      bindVariable(evaluator, target, storedForm(evaluator, value, target.syntax), scope, declares);
      return;
    case 'list':
      bindList(evaluator, target, value, scope, declares);
      return;
    case 'record':
      for (const { key, value: inner } of target.entries) {
        const part = key === null ? restOfRecord(target, value) : memberOf(evaluator.rules, value, key, inner);
        bindTarget(evaluator, inner, part, scope, declares);
      }
      return;
    case 'spread':
      bindTarget(evaluator, target.value, value, scope, declares);
      return;
    case 'member':
    case 'index':
      bindMember(evaluator, target, value, scope);
      return;
    case 'assign': {
      // A default in a pattern: `{ id = 1 }`.
      bindTarget(evaluator, target.target, value, scope, declares);
      return;
    }
    default:
      evaluator.evaluate(target, scope);
  }
}

/** The value as a variable keeps it: no longer the source itself; in some languages a copy of a list. */
function storedForm({ program }: Evaluator, value: Value, at: Span): Value {
  const plain = isTainted(value) ? { ...value, fromSource: false, taint: withStep(value.taint, at) } : value;
  const isCopied = program.copiesLists && plain.identity !== null && plain.instanceOf === null && !plain.isDeclared;
  return isCopied ? withIdentity(plain) : plain;
}

function bindList(evaluator: Evaluator, target: IrNodeOf<'list'>, value: Value, scope: Scope, declares: boolean): void {
  const items = target.elements;
  const rest = items.findIndex(({ op }) => op === 'spread');
  for (const [index, item] of items.entries()) {
    const fromEnd = items.length - index;
    const place = rest !== -1 && index > rest && value.elements !== null ? value.elements.length - fromEnd : index;
    const part = index === rest ? restOfList(value, index, fromEnd - 1) : partOf(evaluator, value, place);
    bindTarget(evaluator, item, withPlacesNamed(part, items), scope, declares);
  }
}

/** The fields of a record of this code are its parts in their order. */
function partOf({ objects }: Evaluator, { elements, ...value }: Value, index: number): Value {
  if (value.instanceOf !== null && value.fields !== null) {
    const field = (objects.classes.named(value.typeName) ?? value.instanceOf).fields[index];
    return value.fields.get(field === undefined ? '' : (fieldName(field) ?? '')) ?? UNKNOWN;
  }
  if (elements === null) return { ...value, elements, constant: undefined, identity: null };
  // A list of a generator has more elements than are known.
  return elements[index] ?? withoutPlace(mergeValues(elements));
}

/** `*rest` of a list without its first and last elements. */
function restOfList(value: Value, first: number, last: number): Value {
  const { elements } = value;
  if (elements === null) return { ...value, constant: undefined, identity: null };
  return withIdentity(
    listValue(elements.length > first + last ? elements.slice(first, elements.length - last) : elements),
  );
}

/** `...rest` of a record without the fields that the pattern names. */
function restOfRecord({ entries }: IrNodeOf<'record'>, value: Value): Value {
  const { fields } = value;
  if (fields === null || value.instanceOf !== null) return value;
  const named = new Set(entries.map(({ key }) => key));
  return withIdentity(recordValue([...fields].filter(([key]) => !named.has(key))));
}

/** The value under the name of the variable as well, for rules. */
function namedValue(name: string, value: Value): Value {
  if (value.isDeclared || value.names[0] === name) return value;
  const typed = value.typeName === null ? [] : [value.typeName];
  return { ...value, names: [name, ...value.names.slice(0, 2), ...typed] };
}

/** An assignment to a name that the method does not declare sets a field, where the language allows to omit `this`. */
function bindVariable(
  evaluator: Evaluator,
  { name }: IrNodeOf<'variable'>,
  value: Value,
  scope: Scope,
  declares: boolean,
): void {
  const { self } = scope;
  if (
    !declares &&
    evaluator.program.implicitThis &&
    self !== null &&
    self.identity !== null &&
    scope.getInMethod(name) === undefined
  ) {
    evaluator.objects.setField(self, name, value, scope);
  } else scope.set(name, namedValue(name, value));
}

function bindMember(
  evaluator: Evaluator,
  target: IrNodeOf<'member'> | IrNodeOf<'index'>,
  value: Value,
  scope: Scope,
): void {
  const object = evaluator.evaluate(target.object, scope);
  if (target.op === 'member') reportTaintedAssignment(evaluator, target, object, value);
  const stored = storedForm(evaluator, value, target.syntax);
  if (target.op === 'index' && isContextObject(evaluator.rules, object)) {
    const key = { name: null, node: target.index, value: evaluator.evaluate(target.index, scope), result: null };
    evaluator.handed.keep(key, evaluator.objects.detached(stored, scope));
  }
  const path = accessPathOf(target);
  if (path !== null) evaluator.objects.requestFields.note(path, stored);
  const written = target.op === 'index' ? evaluator.evaluate(target.index, scope) : null;
  if (object.identity !== null) {
    const key = target.op === 'member' ? target.name : keyOf(written!);
    evaluator.objects.setField(object, key, stored, scope, written);
    if (path !== null && scope.get(path) !== undefined) scope.set(path, stored);
  } else if (path !== null) scope.set(path, stored);
  else if (written !== null && (isTainted(value) || isTainted(written))) {
    const keys = object.keys === null ? written : mergeValues([object.keys, written]);
    evaluator.bind(target.object, { ...object, keys, taint: mergeTaints([object.taint, value.taint]) }, scope);
  }
}

function isTest({ op }: IrNode): boolean {
  return op === 'compare' || op === 'not' || op === 'call' || op === 'logical' || op === 'index';
}

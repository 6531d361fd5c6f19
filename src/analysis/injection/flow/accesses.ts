import { reportTaintedIndex } from './sinks.ts';
import { accessPathOf } from '../ir/access-path.ts';
import type { IrClass, IrNode, IrNodeOf, IrProgram } from '../ir/ir.ts';
import { isHarmlessPart } from './argument-tests.ts';
import { methodsNamed } from './dynamic-methods.ts';
import { currentSelf } from './current-self.ts';
import { withoutQuotes } from './escapes.ts';
import type { Evaluator } from './evaluator.ts';
import { partsOfFields } from './record-keys.ts';
import type { Scope } from './scope.ts';
import {
  asRequestMember,
  createTaint,
  elementOf,
  isBlank,
  isContextObject,
  memberOf,
  sourceValue,
} from './source-values.ts';
import { isSetElsewhere, isVariableElsewhere } from './unfollowed-values.ts';
import { iterated } from './iteration.ts';
import { validatedData } from './validated-forms.ts';
import { constantValue, isRequestTainted, isTainted, UNKNOWN, type Value } from './value.ts';

/** The class whose method runs, in PHP. */
const SELF_CLASS = /^(self|static)$/;

/** The value of a variable; of an unknown one, by its name: a source, or a free variable. */
export function evaluateVariable(evaluator: Evaluator, node: IrNodeOf<'variable'>, scope: Scope): Value {
  const { program, rules } = evaluator;
  const { name } = node;
  const own = program.implicitThis && scope.self !== null ? fieldOfSelf(evaluator, name, scope) : undefined;
  const known = own ?? scope.get(name) ?? (program.implicitThis ? scope.get(`this.${name}`) : undefined);
  if (known !== undefined) {
    if (known.constant !== undefined && !isConstantHere(program, name, scope)) {
      return { ...known, constant: undefined, names: [name] };
    }
    if (known.isDeclared || known.names[0] === name) return known;
    const typed = known.typeName === null ? [] : [known.typeName];
    return { ...known, names: [name, ...known.names.slice(0, 2), ...typed] };
  }
  const field = program.callsByName ? currentSelf(scope)?.fields?.get(name) : undefined;
  // `name` is a call of the method by which `attr_reader` gives out `@name`.
  if (field !== undefined && !program.functions.has(name))
    return { ...field, names: [name, ...field.names.slice(0, 2)] };
  const owner = SELF_CLASS.test(name) ? evaluator.functions.currentClass : program.classes.get(name);
  if (owner != null) return evaluator.objects.classObject(owner);
  if (program.callsByName && node.isCallee !== true && program.functions.has(name))
    return evaluator.evaluate(callOfMethod(node, program.selfName), scope);
  const names = [name];
  const [level] = rules.sources.find(names);
  if (level !== undefined) return { ...sourceValue(level, node), names };
  if (rules.freeVariables?.test(name) && !program.declared.has(name) && !rules.trustedNames.test(name)) {
    return { ...UNKNOWN, taint: createTaint('free', node), names };
  }
  const isElsewhere = !program.functions.has(name) && isVariableElsewhere(name) && !rules.trustedNames.test(name);
  return { ...UNKNOWN, names, unfollowed: isElsewhere ? node.syntax : null };
}

/** The call that a name without arguments is in Ruby. */
function callOfMethod(node: IrNodeOf<'variable'>, selfName: string): IrNode {
  const { name, syntax } = node;
  const callee: IrNode = { op: 'member', object: { op: 'variable', name: selfName, syntax }, name, syntax };
  return { op: 'call', callee, args: [], calleeName: syntax, isTagged: false, syntax };
}

/** A field or property of the object whose method runs, written without `this`. */
function fieldOfSelf(evaluator: Evaluator, name: string, scope: Scope): Value | undefined {
  if (scope.getInMethod(name) !== undefined) return undefined;
  const self = currentSelf(scope);
  const field = self?.fields?.get(name);
  if (self?.instanceOf == null || (field !== undefined && !isBlank(field))) return field;
  return evaluator.objects.property(self, name, scope) ?? field;
}

/** Whether the variable has the value that was written there last: no other function may have changed it. */
function isConstantHere({ reassigned, assignedInside }: IrProgram, name: string, scope: Scope): boolean {
  if (assignedInside.has(name)) return false;
  return !reassigned.has(name) || scope.getLocal(name) !== undefined;
}

/** The value of a member of an object. */
export function evaluateMember(evaluator: Evaluator, node: IrNodeOf<'member'>, scope: Scope): Value {
  const stored = storedValue(node, scope);
  const value = stored ?? unstoredMember(evaluator, node, scope);
  const isKnown = value.constant === undefined || !evaluator.program.reassigned.has(node.name);
  return isKnown ? value : { ...value, constant: undefined };
}

function unstoredMember(evaluator: Evaluator, node: IrNodeOf<'member'>, scope: Scope): Value {
  const { rules } = evaluator;
  const object = evaluator.evaluate(node.object, scope);
  // The two ends of a channel in C#.
  if (object.elements !== null && /^(?:Reader|Writer)$/.test(node.name)) return object;
  // `report.filter` of a struct that embeds a filter: its fields are those of the report.
  const isEmbedded = object.instanceOf?.supers.includes(node.name) === true && object.fields?.has(node.name) !== true;
  if (isEmbedded) return object;
  // `Page::class` in PHP.
  if (object.classOf !== null && node.name === 'class') return object;
  const method = object.classOf === null ? null : methodOfClass(evaluator, object.classOf, node.name);
  if (method !== null && !object.fields?.has(node.name)) return method;
  const parts = object.fields?.has(node.name) === true ? null : /^(?:Keys|Values)$/.exec(node.name)?.[0];
  const listed = parts == null ? null : partsOfFields(object, parts === 'Keys' ? 'keys' : 'values');
  if (listed !== null) return listed;
  const validated = validatedData(rules, object, node.name);
  if (validated !== null) return validated;
  const member = memberOf(rules, object, node.name, node);
  if (object.instanceOf !== null && member.fn === null && isBlank(object.fields?.get(node.name) ?? UNKNOWN)) {
    const getter = evaluator.objects.property(object, node.name, scope);
    if (getter !== null) return getter;
  }
  const known = asRequestMember(rules, member, node);
  if (isBlank(known)) {
    const set = setByHook(evaluator, node);
    if (set !== undefined) return { ...set, names: known.names };
  }
  const isNumber = known.typeName !== null && evaluator.program.scalarTypes.test(known.typeName);
  return object.instanceOf !== null && isBlank(known) && !isNumber && isSetElsewhere(node.name)
    ? { ...known, unfollowed: node.syntax }
    : known;
}

/** A method that the name of the class stands before, as a function: `(*Session).ping`. */
function methodOfClass({ objects }: Evaluator, owner: IrClass, name: string): Value | null {
  const [fn] = objects.classes.methods(owner, name, false);
  return fn === undefined ? null : { ...UNKNOWN, fn, isDeclared: true, names: [`${owner.name}.${name}`] };
}

/** The value of an element of a list or record. */
export function evaluateIndex(evaluator: Evaluator, node: IrNodeOf<'index'>, scope: Scope): Value {
  const { rules } = evaluator;
  const stored = storedValue(node, scope);
  if (stored !== undefined) return stored;
  const object = evaluator.evaluate(node.object, scope);
  if (node.index.op === 'empty') return iterated(evaluator, object, node, scope);
  const index = placeFromEnd(node) ?? evaluator.evaluate(node.index, scope);
  const method = evaluator.program.indexesMembers ? methodsNamed(evaluator, object, index) : null;
  if (method !== null) return method;
  if (!rules.indexSinks.isEmpty) reportTaintedIndex(evaluator, node, object, index);
  // `quoted[1..-2]` in Ruby.
  if (object.escape?.place === 'bare') return withoutQuotes(object);
  if (isTainted(object) && isHarmlessPart(rules, node.index, index)) return UNKNOWN;
  const names = index.text === null ? [] : object.names.map((path) => `${path}.${index.text}`);
  const element = elementOf(rules, object, index, node);
  const kept =
    isTainted(element) || !isContextObject(rules, object)
      ? null
      : evaluator.handed.kept({ name: null, node: node.index, value: index, result: null });
  if (kept !== null) return kept;
  if (isRequestTainted(element)) return element;
  return setByHook(evaluator, node) ?? { ...asRequestMember(rules, { ...element, names }, node), names: element.names };
}

/** What another handler of the request set this field to; undefined: none did. */
function setByHook(evaluator: Evaluator, node: IrNode): Value | undefined {
  const path = accessPathOf(node);
  return path === null ? undefined : evaluator.objects.requestFields.get(path);
}

/** `list[len(list) - 1]`: a place from the end; null: another index. */
function placeFromEnd({ object, index }: IrNodeOf<'index'>): Value | null {
  if (index.op !== 'compare' || index.operator !== '-' || index.right.op !== 'constant') return null;
  const { left } = index;
  const list =
    left.op === 'call' && left.callee.op === 'variable' && /^(len|count|sizeof)$/.test(left.callee.name)
      ? left.args[0]?.value
      : left.op === 'member' && /^(length|Length|Count)$/.test(left.name)
        ? left.object
        : undefined;
  const path = accessPathOf(object);
  if (list === undefined || path === null || accessPathOf(list) !== path) return null;
  const place = Number(index.right.text);
  return Number.isInteger(place) ? constantValue(-place) : null;
}

/** The value that was assigned to this access path, or that a test of it left. */
export function storedValue(node: IrNode, scope: Scope): Value | undefined {
  const path = accessPathOf(node);
  return path === null ? undefined : scope.get(path);
}

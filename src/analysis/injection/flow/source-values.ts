import type { IrNode } from '../ir/ir.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import {
  anySource,
  INJECTION_KINDS,
  NO_TAINT,
  type SourceLevel,
  type Taint,
  taintOf,
  type TaintSource,
} from '../taint.ts';
import { mergeValues } from './merge-values.ts';
import { isSetElsewhere } from './unfollowed-values.ts';
import { isRequestTainted, isTainted, UNKNOWN, UNKNOWN_KEY, type Value, withoutTaint } from './value.ts';

/** Names are cut at their beginning: rules compare them from the end. */
const MAX_NAME_LENGTH = 160;

/** An imported module, by the name that rules use for it. */
export function moduleValue(rules: CompiledRules, module: string): Value {
  const plain = module.replace(/^node:/, '');
  const [first = '', ...rest] = plain.split('.');
  const known = Object.hasOwn(rules.moduleAliases, first) ? rules.moduleAliases[first]! : first;
  const path = [known, ...rest].join('.').replaceAll('/', '.');
  return { ...UNKNOWN, names: [path], isDeclared: true };
}

/** The member of an object. A member of a source is a source as well. */
export function memberOf(rules: CompiledRules, object: Value, name: string, node: IrNode): Value {
  const from = object.names.length === 0 ? ['#'] : object.names;
  const names = from.map((path) => `${path}.${name}`.slice(-MAX_NAME_LENGTH));
  const { fields } = object;
  const field = fields?.get(name);
  if (field !== undefined && !isBlank(field)) {
    return {
      ...field,
      names: field.isDeclared ? field.names : [...names, ...field.names.slice(0, 2), ...typeOf(field)],
    };
  }
  const [level] = rules.sources.find(names);
  if (level !== undefined) return { ...sourceValue(level, node), names, isDeclared: object.isDeclared };
  // All fields of a record and of an object of this code are known.
  if (field !== undefined) return { ...field, names: [...names, ...typeOf(field)] };
  if (object.instanceOf !== null) return { ...UNKNOWN, names };
  const rest = fields !== null && object.typeName === null ? (fields.get(UNKNOWN_KEY) ?? UNKNOWN) : undefined;
  if (rest !== undefined) return { ...rest, constant: undefined, identity: null, names };
  if (rules.scalarResults.has(names)) return { ...UNKNOWN, names };
  const whole = valueInside(object, node);
  const [kinds] = isTainted(whole) ? rules.sanitizers.find(names) : [];
  // `Path(x).name`
  const inside = kinds === undefined ? whole : withoutTaint(whole, kinds);
  const unfollowed = isSetElsewhere(name) ? inside.unfollowed : null;
  // A whole URL begins with its scheme.
  const part = name === 'href' ? withoutTaint(inside, ['option']) : inside;
  return { ...part, unfollowed, names, isDeclared: object.isDeclared };
}

/** The declared type, by which rules know the methods of a field: `SSH2` of `private ?SSH2 $conn`; empty: it has none. */
function typeOf({ typeName }: Value): string[] {
  const name = typeName === null ? undefined : /([A-Za-z_]\w*)(?:<.*>)?\??$/s.exec(typeName)?.[1];
  return name === undefined ? [] : [name];
}

/** Whether the object keeps values of a request or session by their keys. */
export function isContextObject({ contextObjects }: CompiledRules, { names, fields }: Value): boolean {
  return contextObjects !== null && fields === null && names.some((name) => contextObjects.test(name));
}

/** Nothing is known of the value but its type and its names. */
export function isBlank(value: Value): boolean {
  return (
    !isTainted(value) && value.text === null && value.fn === null && value.fields === null && value.elements === null
  );
}

/** The element of a list or record. An element of a source is a source as well. */
export function elementOf(rules: CompiledRules, object: Value, index: Value, node: IrNode): Value {
  const { fields, elements } = object;
  const key = index.constant === undefined ? undefined : String(index.constant);
  // `point[:x]` of a struct in Ruby.
  const own = object.instanceOf === null || key === undefined ? undefined : fields?.get(key);
  if (own !== undefined) return own;
  // `found[:name]` of Ruby: what a named group of a pattern found.
  const groups = elements === null ? undefined : fields?.get('groups');
  const group = key === undefined ? undefined : groups?.fields?.get(key);
  if (group !== undefined) return group;
  if (fields !== null && fields.size > 0 && object.instanceOf === null && groups === undefined) {
    const rest = fields.get(UNKNOWN_KEY);
    if (key === undefined) return withoutPlace(mergeValues([...fields.values()]));
    const field = fields.get(key);
    if (field !== undefined || rest !== undefined || object.typeName === null) {
      return mergeValues([field, rest].filter((value) => value !== undefined));
    }
  }
  if (elements !== null && elements.length > 0) {
    const position = typeof index.constant === 'number' ? index.constant : Number.NaN;
    return elements[position < 0 ? elements.length + position : position] ?? withoutPlace(mergeValues(elements));
  }
  // `req.[]` is an element of `req` whose index is not known: a part of what a stream sends.
  const named = object.names.map((path) => `${path}.${index.text ?? '[]'}`.slice(-MAX_NAME_LENGTH));
  const any = index.text === null ? [] : object.names.map((path) => `${path}.[]`.slice(-MAX_NAME_LENGTH));
  const [level] = isRequestTainted(object) ? [] : rules.sources.find([...named, ...any]);
  if (level !== undefined) return sourceValue(level, node);
  if (rules.scalarElements.has(named)) return { ...UNKNOWN, names: named };
  const inside = valueInside(object, node);
  return { ...(rules.chosenPaths.has(named) ? withoutTaint(inside, ['path', 'option']) : inside), names: object.names };
}

/** One of several values, of which it is not known which one. */
export function withoutPlace(value: Value): Value {
  return { ...value, constant: undefined, text: isTainted(value) ? value.text : null };
}

/** The value as a source, where it is a member of a request object that a framework fills. */
export function asRequestMember({ requestMembers }: CompiledRules, value: Value, node: IrNode): Value {
  return asRequestValue(requestMembers, value, node);
}

/** The same of the method of a request object. */
export function asRequestGetter({ requestGetters }: CompiledRules, value: Value, node: IrNode): Value {
  return asRequestValue(requestGetters, value, node);
}

function asRequestValue(pattern: RegExp | null, value: Value, node: IrNode): Value {
  if (pattern === null || isRequestTainted(value) || !value.names.some((name) => pattern.test(name))) return value;
  return { ...sourceValue('request', node), names: value.names };
}

/** A value that this node reads from a source. */
export function sourceValue(level: SourceLevel, node: IrNode): Value {
  return { ...UNKNOWN, taint: createTaint(level, node), fromSource: true };
}

/** A source at this node. Local and free sources do not count for paths. */
export function createTaint(level: SourceLevel, { syntax }: IrNode): Taint {
  const source: TaintSource = { level, span: syntax };
  return taintOf(source, level === 'local' || level === 'free' ? ['sql', 'command'] : INJECTION_KINDS);
}

/** A member or element is as tainted as its object, except of a free variable, which may be any object. */
function valueInside(object: Value, node: IrNode): Value {
  if (!isTainted(object)) {
    const { hidden, unfollowed } = object;
    return hidden === NO_TAINT && unfollowed === null ? UNKNOWN : { ...UNKNOWN, hidden, unfollowed };
  }
  const level = anySource(object.taint)?.level;
  if (level === 'free' || level === undefined) return UNKNOWN;
  const taint = object.fromSource ? createTaint(level, node) : object.taint;
  return { ...UNKNOWN, taint, hidden: object.hidden, fromSource: object.fromSource, isBuilt: object.isBuilt };
}

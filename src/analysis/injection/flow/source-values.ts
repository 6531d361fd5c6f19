import type { IrNode } from '../ir/ir.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import { anySource, INJECTION_KINDS, type SourceLevel, type Taint, type TaintSource, taintOf } from '../taint.ts';
import { isTainted, mergeValues, UNKNOWN, type Value } from './value.ts';

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
  const field = object.fields?.get(name);
  if (field !== undefined) return { ...field, names };
  const [level] = rules.sources.find(names);
  if (level !== undefined) return { ...sourceValue(level, node), names, isDeclared: object.isDeclared };
  if (rules.scalarResults.has(names)) return { ...UNKNOWN, names };
  return { ...valueInside(object, node), names, isDeclared: object.isDeclared };
}

/** The element of a list or record. An element of a source is a source as well. */
export function elementOf(rules: CompiledRules, object: Value, index: Value, node: IrNode): Value {
  const field = index.text === null ? undefined : object.fields?.get(index.text);
  if (field !== undefined) return field;
  if (object.elements !== null && object.elements.length > 0) {
    return object.elements[Number(index.text ?? Number.NaN)] ?? mergeValues(object.elements);
  }
  const named = index.text === null ? [] : object.names.map((path) => `${path}.${index.text}`.slice(-MAX_NAME_LENGTH));
  const [level] = isTainted(object) ? [] : rules.sources.find(named);
  if (level !== undefined) return sourceValue(level, node);
  return { ...valueInside(object, node), names: object.names };
}

/** The value as a source, where it is a member of a request object that a framework fills. */
export function asRequestMember(rules: CompiledRules, value: Value, node: IrNode): Value {
  const { requestMembers } = rules;
  if (requestMembers === null || isTainted(value) || !value.names.some((name) => requestMembers.test(name))) {
    return value;
  }
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
  if (!isTainted(object)) return UNKNOWN;
  const level = anySource(object.taint)?.level;
  if (level === 'free' || level === undefined) return UNKNOWN;
  const taint = object.fromSource ? createTaint(level, node) : object.taint;
  return { ...UNKNOWN, taint, fromSource: object.fromSource, isBuilt: object.isBuilt };
}

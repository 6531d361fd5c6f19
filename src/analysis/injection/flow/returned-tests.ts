import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import { INJECTION_KINDS } from '../taint.ts';
import { truthOf } from './constants.ts';
import type { Evaluator } from './evaluator.ts';
import { mergeValues } from './merge-values.ts';
import { refinementOf } from './refinements.ts';
import type { Scope } from './scope.ts';
import { type CheckedPath, isTainted, listValue, type Refinement, type Value, withIdentity } from './value.ts';

/** A path that stands for another element of the same list, or a field of it: `#0`, `#0.name`. */
const PLACE = /^#(\d+)((?:\.\w+)?)$/;

/** What a function returns, with what is known of it there: its fields that were checked, and tests that stand beside it. */
export function asReturned(evaluator: Evaluator, node: IrNode, value: Value, scope: Scope): Value {
  if (node.op === 'variable') return withCheckedFields(node.name, value, scope);
  const { elements } = value;
  if (node.op !== 'list' || elements === null || node.elements.length !== elements.length) return value;
  const places = new Map(node.elements.map((element, index) => [accessPathOf(element), index]));
  const returned = elements.map((element, index) => {
    const part = node.elements[index]!;
    return part.op === 'variable'
      ? withCheckedFields(part.name, element, scope)
      : withTestedPlaces(evaluator, part, element, places, scope);
  });
  return returned.every((element, index) => element === elements[index])
    ? value
    : { ...value, elements: listValue(returned).elements };
}

/** The object, whose fields are harmless where a test of `name.field` said so. */
function withCheckedFields(name: string, value: Value, scope: Scope): Value {
  const { fields } = value;
  if (fields === null) return value;
  const checked = [...fields].flatMap(([field, before]): [string, Value][] => {
    const now = isTainted(before) ? scope.get(`${name}.${field}`) : undefined;
    return now === undefined || isTainted(now) ? [] : [[field, now]];
  });
  return checked.length === 0 ? value : withIdentity({ ...value, fields: new Map([...fields, ...checked]) });
}

/** `return name, pattern.MatchString(name)`: a test that tells something about another element of the same list. */
function withTestedPlaces(
  evaluator: Evaluator,
  test: IrNode,
  value: Value,
  places: ReadonlyMap<string | null, number>,
  scope: Scope,
): Value {
  if (test.op !== 'call' && test.op !== 'compare' && test.op !== 'logical' && test.op !== 'not') return value;
  const toPlaces = (checked: readonly CheckedPath[]): CheckedPath[] =>
    checked.flatMap(({ path, kinds }) => {
      const place = places.get(path);
      return place === undefined ? [] : [{ path: `#${place}`, kinds }];
    });
  const { whenTrue, whenFalse } = refinementOf(evaluator, test, scope);
  const refinement: Refinement = { whenTrue: toPlaces(whenTrue), whenFalse: toPlaces(whenFalse) };
  return refinement.whenTrue.length + refinement.whenFalse.length === 0 ? value : { ...value, refinement };
}

/** Errors of Go, by the name of the value or of the function that makes it. */
const ERROR_NAME = /(?:^|\.)(?:[eE]rr(?:or)?s?[A-Z]?\w*|\w*(?:Errorf?|New|Wrapf?)\(\))$/;

/** Whether the last of the returned values is an error or true; undefined: not known. */
function outcomeOf({ elements }: Value): boolean | undefined {
  const last = elements?.at(-1);
  if (last === undefined) return undefined;
  return truthOf(last) ?? (last.names.some((name) => ERROR_NAME.test(name)) ? true : undefined);
}

/** `return path, err` and `return path, nil`: the values together, and in the last one what its outcome says of the others. */
export function mergeReturned(values: readonly Value[]): Value {
  const merged = mergeValues(values);
  const { elements } = merged;
  const count = elements?.length ?? 0;
  if (elements === null || values.length < 2 || count < 2) return merged;
  if (!elements.slice(0, -1).some(isTainted) || values.some((value) => value.elements?.length !== count)) return merged;
  const checkedIf = (outcome: boolean): CheckedPath[] => {
    const ways = values.filter((value) => outcomeOf(value) !== !outcome);
    return ways.length === 0 || ways.length === values.length ? [] : checkedPlaces(elements, ways);
  };
  const refinement: Refinement = { whenTrue: checkedIf(true), whenFalse: checkedIf(false) };
  if (refinement.whenTrue.length + refinement.whenFalse.length === 0) return merged;
  return { ...merged, elements: elements.with(count - 1, { ...elements.at(-1)!, refinement }) };
}

/** The elements, and fields of them, that are harmless in these ways through a function though not in all. */
function checkedPlaces(all: readonly Value[], ways: readonly Value[]): CheckedPath[] {
  const checked: CheckedPath[] = [];
  const compare = (path: string, before: Value, now: Value): void => {
    const kinds = INJECTION_KINDS.filter((kind) => before.taint[kind] !== undefined && now.taint[kind] === undefined);
    if (kinds.length > 0) checked.push({ path, kinds });
  };
  for (const [index, before] of all.slice(0, -1).entries()) {
    const now = mergeValues(ways.map(({ elements }) => elements![index]!));
    compare(`#${index}`, before, now);
    for (const [name, field] of before.fields ?? [])
      compare(`#${index}.${name}`, field, now.fields?.get(name) ?? field);
  }
  return checked;
}

/** The test of a returned list, told of the variables that its elements are given to. */
export function withPlacesNamed(value: Value, targets: readonly IrNode[]): Value {
  const { refinement } = value;
  if (refinement === null) return value;
  const toPaths = (checked: readonly CheckedPath[]): CheckedPath[] =>
    checked.flatMap(({ path, kinds }) => {
      const [found, place, field = ''] = PLACE.exec(path) ?? [];
      if (found === undefined) return [{ path, kinds }];
      const target = targets[Number(place)];
      const named = target === undefined ? null : accessPathOf(target);
      return named === null ? [] : [{ path: named + field, kinds }];
    });
  return { ...value, refinement: { whenTrue: toPaths(refinement.whenTrue), whenFalse: toPaths(refinement.whenFalse) } };
}

import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import type { Evaluator } from './evaluator.ts';
import { refinementOf } from './refinements.ts';
import type { Scope } from './scope.ts';
import { type CheckedPath, listValue, type Refinement, type Value } from './value.ts';

/** A path that stands for another element of the same list: `#0`. */
const PLACE = /^#(\d+)$/;

/** `return name, pattern.MatchString(name)`: the list, of which a test tells something about another element. */
export function withReturnedTests(evaluator: Evaluator, node: IrNode, value: Value, scope: Scope): Value {
  const { elements } = value;
  if (node.op !== 'list' || elements === null || node.elements.length !== elements.length) return value;
  const places = new Map(node.elements.map((element, index) => [accessPathOf(element), index]));
  const toPlaces = (checked: readonly CheckedPath[]): CheckedPath[] =>
    checked.flatMap(({ path, kinds }) => {
      const place = places.get(path);
      return place === undefined ? [] : [{ path: `#${place}`, kinds }];
    });
  let isTested = false;
  const tested = elements.map((element, index) => {
    const test = node.elements[index]!;
    if (test.op !== 'call' && test.op !== 'compare' && test.op !== 'logical' && test.op !== 'not') return element;
    const { whenTrue, whenFalse } = refinementOf(evaluator, test, scope);
    const refinement: Refinement = { whenTrue: toPlaces(whenTrue), whenFalse: toPlaces(whenFalse) };
    if (refinement.whenTrue.length + refinement.whenFalse.length === 0) return element;
    isTested = true;
    return { ...element, refinement };
  });
  return isTested ? { ...value, elements: listValue(tested).elements } : value;
}

/** The test of a returned list, told of the variables that its elements are given to. */
export function withPlacesNamed(value: Value, targets: readonly IrNode[]): Value {
  const { refinement } = value;
  if (refinement === null) return value;
  const toPaths = (checked: readonly CheckedPath[]): CheckedPath[] =>
    checked.flatMap(({ path, kinds }) => {
      const place = PLACE.exec(path)?.[1];
      if (place === undefined) return [{ path, kinds }];
      const target = targets[Number(place)];
      const named = target === undefined ? null : accessPathOf(target);
      return named === null ? [] : [{ path: named, kinds }];
    });
  return { ...value, refinement: { whenTrue: toPaths(refinement.whenTrue), whenFalse: toPaths(refinement.whenFalse) } };
}

/** Direct dependencies named for one package. */
const MAX_NAMED = 5;

/**
 * Which direct dependencies bring each package, by key: at most five of them; [] for one that is direct itself. A package that nothing
 * leads to is not in the result.
 */
export function findBroughtBy(
  direct: ReadonlyMap<string, string>,
  next: (key: string) => Iterable<string>,
): Map<string, string[]> {
  const broughtBy = new Map<string, string[]>();
  for (const [start, name] of direct) {
    const reached = new Set([start]);
    // A set that grows while it is walked is walked to its new end. What has its five names needs no more, nor does what it leads to.
    for (const key of reached) {
      const names = broughtBy.get(key) ?? [];
      if (key !== start && names.length === MAX_NAMED) continue;
      if (key !== start && !names.includes(name)) names.push(name);
      broughtBy.set(key, names);
      for (const after of next(key)) reached.add(after);
    }
  }
  for (const key of direct.keys()) broughtBy.set(key, []);
  return broughtBy;
}

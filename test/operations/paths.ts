/**
 * True when `path` leads somewhere in `value`: names joined by dots, `[]` for the elements of a list, all of which must
 * go on as the path does (an empty list has nothing to show and passes). What it leads to may be null.
 */
export function leadsSomewhere(value: unknown, path: string): boolean {
  const [step = '', ...rest] = path.split('.');
  const isList = step.endsWith('[]');
  const name = isList ? step.slice(0, -2) : step;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  const inner = (value as Record<string, unknown>)[name];
  const onward = rest.join('.');
  if (isList) return Array.isArray(inner) && inner.every((element) => onward === '' || leadsSomewhere(element, onward));
  return onward === '' || leadsSomewhere(inner, onward);
}

/** The paths that lead nowhere. */
export function missingPaths(value: unknown, paths: readonly string[]): string[] {
  return paths.filter((path) => !leadsSomewhere(value, path));
}

import { isJsonObject } from '../../bounded-json.ts';
import type { DependencyScope } from '../dependency-scope.ts';
import { fieldNames, type JsonObject, stringOrEmpty } from './locked-package.ts';

/** A manifest in JSON that lies beside a lockfile; null if it is missing or broken: the lockfile is read without it. */
export function parseManifest(text: string | undefined): JsonObject | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

const FIELDS_BY_SCOPE: readonly [field: string, scope: DependencyScope | undefined][] = [
  ['dependencies', undefined],
  ['optionalDependencies', 'optional'],
  ['peerDependencies', 'peer'],
  ['devDependencies', 'dev'],
];

/** What a package.json, or an entry of a lockfile in its form, asks for. A name in several fields has a place for each. */
export function dependenciesOf(
  entry: JsonObject,
): { name: string; specifier: string; scope: DependencyScope | undefined }[] {
  return FIELDS_BY_SCOPE.flatMap(([field, scope]) => {
    const names = entry[field];
    // npm lists an optional dependency in `dependencies` too.
    const optional = field === 'dependencies' ? new Set(fieldNames(entry['optionalDependencies'])) : new Set<string>();
    return fieldNames(names)
      .filter((name) => !optional.has(name))
      .map((name) => ({ name, specifier: stringOrEmpty((names as JsonObject)[name]), scope }));
  });
}

import { isJsonObject } from '../../bounded-json.ts';
import type { DependencyScope } from '../dependency-scope.ts';
import { normalizePythonName } from '../python-name.ts';
import { fieldNames, type JsonObject, objectEntries, stringList } from './locked-package.ts';
import { parseTomlObject } from './toml.ts';

export interface AskedPackage {
  /** In its normal form. */
  name: string;
  extras: string[];
  scope?: DependencyScope;
}

/**
 * What a `pyproject.toml` asks for: `[project]` (PEP 621), `[dependency-groups]` (PEP 735), and the tables of Poetry and PDM. Null if it
 * is missing or broken: the lockfile is read without it.
 */
export function dependenciesOfPyproject(text: string | undefined): AskedPackage[] | null {
  if (text === undefined) return null;
  let root: JsonObject;
  try {
    root = parseTomlObject(text);
  } catch {
    return null;
  }
  const project = tableAt(root, 'project');
  const poetry = tableAt(root, 'tool', 'poetry');
  const lists = (table: JsonObject, scope?: DependencyScope): AskedPackage[] =>
    Object.values(table).flatMap((list) => requirementsIn(list, scope));
  return [
    ...requirementsIn(project['dependencies']),
    ...lists(tableAt(project, 'optional-dependencies'), 'optional'),
    ...lists(tableAt(root, 'dependency-groups'), 'dev'),
    ...lists(tableAt(root, 'tool', 'pdm', 'dev-dependencies'), 'dev'),
    ...namesIn(poetry['dependencies']),
    ...namesIn(poetry['dev-dependencies'], 'dev'),
    ...objectEntries(poetry['group']).flatMap(([, group]) => namesIn(group['dependencies'], 'dev')),
  ];
}

function tableAt(table: JsonObject, ...path: string[]): JsonObject {
  return path.reduce((at: JsonObject, name) => (isJsonObject(at[name]) ? at[name] : {}), table);
}

/** The name that a requirement begins with (PEP 508), in its normal form, with its extras. */
export function parseRequirementName(text: string): { name: string; extras: string[] } | null {
  const [, name, extras = ''] = /^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?/.exec(text) ?? [];
  if (name === undefined) return null;
  const named = extras.split(',').map((one) => normalizePythonName(one.trim()));
  return { name: normalizePythonName(name), extras: named.filter((one) => one !== '') };
}

function requirementsIn(list: unknown, scope?: DependencyScope): AskedPackage[] {
  return stringList(list).flatMap((text) => {
    const named = parseRequirementName(text);
    return named === null ? [] : [toAsked(named, scope)];
  });
}

/** Poetry: names are fields. */
function namesIn(table: unknown, scope?: DependencyScope): AskedPackage[] {
  return fieldNames(table)
    .filter((name) => name !== 'python')
    .map((name) => toAsked({ name: normalizePythonName(name), extras: [] }, scope));
}

function toAsked(named: { name: string; extras: string[] }, scope: DependencyScope | undefined): AskedPackage {
  return { ...named, ...(scope !== undefined && { scope }) };
}

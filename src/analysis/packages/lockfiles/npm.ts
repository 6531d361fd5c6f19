import { isJsonObject } from '../../bounded-json.ts';
import { findBroughtBy } from './brought-by.ts';
import {
  commitFromUrl,
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  parseJsonObject,
  type LockedPackage,
  createLockedPackage,
  stringOrEmpty,
} from './locked-package.ts';

const NODE_MODULES = 'node_modules/';

/** `package-lock.json`, `npm-shrinkwrap.json`: versions 1 to 3. */
export function readPackageLock(text: string): LockedPackage[] {
  const root = parseJsonObject(text);
  return mergeDuplicates(
    isJsonObject(root['packages']) ? packagesFromPaths(root['packages']) : packagesFromTree(root['dependencies']),
  );
}

/** Versions 2 and 3: one entry a folder. Members of the workspace are left out, what is copied into the project is not. */
function packagesFromPaths(packages: JsonObject): LockedPackage[] {
  const copied = copiedFolders(packages);
  const broughtBy = broughtByPath(packages);
  return objectEntries(packages).flatMap(([path, entry]) => {
    if (!(path.includes(NODE_MODULES) || copied.has(path)) || entry['link'] === true) return [];
    const name =
      stringOrEmpty(entry['name']) ||
      (path.includes(NODE_MODULES)
        ? path.slice(path.lastIndexOf(NODE_MODULES) + NODE_MODULES.length)
        : path.slice(path.lastIndexOf('/') + 1));
    const commit = commitFromUrl(stringOrEmpty(entry['resolved']));
    const from = broughtBy.get(path);
    return [
      createLockedPackage({
        ...(from !== undefined && { broughtBy: from }),
        name,
        version: stringOrEmpty(entry['version']),
        ecosystem: 'npm',
        commit,
        ...dependencyGroups(entry),
      }),
    ];
  });
}

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Folders that a package of the project names as `file:folder`. */
function copiedFolders(packages: JsonObject): Set<string> {
  const specifiers = objectEntries(packages)
    .filter(([path]) => !path.includes(NODE_MODULES))
    .flatMap(([, entry]) =>
      DEPENDENCY_FIELDS.flatMap((field) => Object.values(isJsonObject(entry[field]) ? entry[field] : {})),
    );
  return new Set(specifiers.flatMap((text) => /^file:(?:\.\/)?(.+?)\/?$/.exec(stringOrEmpty(text))?.[1] ?? []));
}

/** By the path of each package: the dependencies of the project and its workspace that need it. */
function broughtByPath(packages: JsonObject): Map<string, string[]> {
  const namesIn = (entry: JsonObject): string[] =>
    DEPENDENCY_FIELDS.flatMap((field) => Object.keys(isJsonObject(entry[field]) ? entry[field] : {}));
  const direct = new Map<string, string>();
  for (const [path, entry] of objectEntries(packages)) {
    if (path.includes(NODE_MODULES)) continue;
    for (const name of namesIn(entry)) {
      const found = resolveModule(packages, path, name);
      if (found !== null) direct.set(found, name);
    }
  }
  return findBroughtBy(direct, (path) => {
    const entry = packages[path];
    if (!isJsonObject(entry)) return [];
    return namesIn({ ...entry, devDependencies: null }).flatMap((name) => resolveModule(packages, path, name) ?? []);
  });
}

/** The path of the package that `name` means in a folder: Node looks into each `node_modules` on the way up. */
function resolveModule(packages: JsonObject, from: string, name: string): string | null {
  for (let folder = from; ; ) {
    const path = `${folder === '' ? '' : `${folder}/`}${NODE_MODULES}${name}`;
    if (Object.hasOwn(packages, path)) return path;
    if (folder === '') return null;
    const up = folder.lastIndexOf(`/${NODE_MODULES}`);
    folder = up === -1 ? '' : folder.slice(0, up);
  }
}

/** Version 1: a tree, walked without recursion. */
function packagesFromTree(root: unknown): LockedPackage[] {
  const found: LockedPackage[] = [];
  const trees = [root];
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    for (const [name, entry] of objectEntries(tree)) {
      if (isJsonObject(entry['dependencies'])) trees.push(entry['dependencies']);
      found.push(packageFromTreeEntry(name, entry));
    }
  }
  return found;
}

function packageFromTreeEntry(name: string, entry: JsonObject): LockedPackage {
  const version = stringOrEmpty(entry['version']);
  const groups = dependencyGroups(entry);
  const alias = /^npm:(.+)@([^@]+)$/.exec(version);
  if (alias !== null) return createLockedPackage({ name: alias[1]!, version: alias[2]!, ecosystem: 'npm', ...groups });
  const commit = commitFromUrl(version);
  // A file, a folder or an address is given instead of a version.
  const isVersion = commit === null && !/[:/]/.test(version);
  return createLockedPackage({ name, version: isVersion ? version : '', ecosystem: 'npm', commit, ...groups });
}

/** `devOptional`: for development, and an optional part of what runs. */
function dependencyGroups({ dev, optional, devOptional }: JsonObject): Pick<LockedPackage, 'groups' | 'dev'> {
  if (devOptional === true) return { groups: ['dev', 'optional'], dev: false };
  return { groups: [...(dev === true ? ['dev'] : []), ...(optional === true ? ['optional'] : [])], dev: dev === true };
}

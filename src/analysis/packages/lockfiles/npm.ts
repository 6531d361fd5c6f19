import { isJsonObject } from '../../bounded-json.ts';
import type { DependencyScope } from '../dependency-scope.ts';
import { type DependencyEdge, type DependencyGraph, findBroughtBy, findReleasedWith } from './dependency-graph.ts';
import {
  commitFromUrl,
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  parseJsonObject,
  type LockedPackage,
  createLockedPackage,
  fieldNames,
  stringOrEmpty,
} from './locked-package.ts';
import { parseManifest } from './package-json.ts';

const NODE_MODULES = 'node_modules/';
const MAX_TREE_DEPTH = 100;

/** `package-lock.json`, `npm-shrinkwrap.json`: versions 1 to 3. `manifest` is the package.json beside it, which version 1 needs to tell what is direct. */
export function readPackageLock(text: string, manifest: string | undefined): LockedPackage[] {
  const root = parseJsonObject(text);
  return mergeDuplicates(
    isJsonObject(root['packages'])
      ? packagesFromPaths(root['packages'])
      : packagesFromTree(root['dependencies'], parseManifest(manifest)),
  );
}

/** Versions 2 and 3: one entry a folder. Members of the workspace are left out, what is copied into the project is not. */
function packagesFromPaths(packages: JsonObject): LockedPackage[] {
  const copied = copiedFolders(packages);
  const graph = graphOfPaths(packages, directPaths(packages));
  const [broughtBy, releasedWith] = [findBroughtBy(graph), findReleasedWith(graph)];
  return objectEntries(packages).flatMap(([path, entry]) => {
    if (!(path.includes(NODE_MODULES) || copied.has(path)) || entry['link'] === true) return [];
    const commit = commitFromUrl(stringOrEmpty(entry['resolved']));
    const from = broughtBy.get(path);
    const lockstep = releasedWith.get(path);
    return [
      createLockedPackage({
        ...(from !== undefined && { broughtBy: from }),
        ...(lockstep !== undefined && { releasedWith: lockstep }),
        name: nameOfPath(path, entry),
        version: stringOrEmpty(entry['version']),
        ecosystem: 'npm',
        commit,
        ...dependencyGroups(entry),
      }),
    ];
  });
}

function nameOfPath(path: string, entry: JsonObject): string {
  const own = stringOrEmpty(entry['name']);
  if (own !== '') return own;
  return path.includes(NODE_MODULES)
    ? path.slice(path.lastIndexOf(NODE_MODULES) + NODE_MODULES.length)
    : path.slice(path.lastIndexOf('/') + 1);
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

/** What the project and the members of its workspace ask for. */
function directPaths(packages: JsonObject): string[] {
  return objectEntries(packages)
    .filter(([path]) => !path.includes(NODE_MODULES))
    .flatMap(([path, entry]) =>
      DEPENDENCY_FIELDS.flatMap((field) => fieldNames(entry[field])).flatMap(
        (name) => resolveModule(packages, path, name) ?? [],
      ),
    );
}

function graphOfPaths(packages: JsonObject, direct: readonly string[]): DependencyGraph {
  const needsOf = (path: string): DependencyEdge[] => {
    const entry = packages[path];
    if (!isJsonObject(entry)) return [];
    const version = stringOrEmpty(entry['version']);
    return DEPENDENCY_FIELDS.filter((field) => field !== 'devDependencies').flatMap((field) =>
      Object.entries(isJsonObject(entry[field]) ? entry[field] : {}).flatMap(([name, range]) => {
        const to = resolveModule(packages, path, name);
        return to === null ? [] : [{ to, isLockstep: version !== '' && range === version }];
      }),
    );
  };
  return {
    direct: direct.map((to) => ({ to })),
    next: needsOf,
    nameOf: (path) => nameOfPath(path, isJsonObject(packages[path]) ? packages[path] : {}),
  };
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

/** Version 1: a tree, walked without recursion. Of one that is deeper than any real one the graph is not read. */
function packagesFromTree(root: unknown, manifest: JsonObject | null): LockedPackage[] {
  const packages: JsonObject = {};
  const found: [path: string, one: LockedPackage][] = [];
  const trees: { folder: string; depth: number; tree: unknown }[] = [{ folder: '', depth: 0, tree: root }];
  let isTooDeep = false;
  for (let next = trees.pop(); next !== undefined; next = trees.pop()) {
    const { folder, depth, tree } = next;
    isTooDeep ||= depth > MAX_TREE_DEPTH;
    for (const [name, entry] of objectEntries(tree)) {
      const path = isTooDeep ? '' : `${folder}${NODE_MODULES}${name}`;
      if (isJsonObject(entry['dependencies']))
        trees.push({ folder: `${path}/`, depth: depth + 1, tree: entry['dependencies'] });
      const one = packageFromTreeEntry(name, entry);
      found.push([path, one]);
      packages[path] = { name: one.name, dependencies: entry['requires'] };
    }
  }
  if (isTooDeep) return found.map(([, one]) => one);
  const broughtBy = findBroughtBy(graphOfPaths(packages, directOfTree(packages, manifest)));
  return found.map(([path, one]) => (broughtBy.has(path) ? { ...one, broughtBy: broughtBy.get(path)! } : one));
}

/** Without the manifest those at the top that no other needs: npm removes what nothing asks for. */
function directOfTree(packages: JsonObject, manifest: JsonObject | null): string[] {
  if (manifest !== null) return directPaths({ ...packages, '': manifest });
  const needed = new Set(
    objectEntries(packages).flatMap(([path, { dependencies }]) =>
      fieldNames(dependencies).flatMap((name) => resolveModule(packages, path, name) ?? []),
    ),
  );
  return Object.keys(packages).filter((path) => path.lastIndexOf(NODE_MODULES) === 0 && !needed.has(path));
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

/** `devOptional`: for development, and an optional part of what runs. A flag says that all ways to the package have its scope. */
function dependencyGroups({ dev, optional, peer, devOptional }: JsonObject): Pick<LockedPackage, 'groups' | 'ways'> {
  const flags = { dev, optional, peer };
  const way = (['dev', 'optional', 'peer'] as const).filter((scope) => flags[scope] === true);
  if (devOptional !== true)
    return { groups: way.filter((scope) => scope !== 'peer'), ways: way.length === 0 ? [] : [way] };
  const others: DependencyScope[] = peer === true ? ['peer'] : [];
  return {
    groups: ['dev', 'optional'],
    ways: [
      ['dev', ...others],
      ['optional', ...others],
    ],
  };
}

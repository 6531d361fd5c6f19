import {
  commitIn,
  distinct,
  entriesOf,
  type Fields,
  isFields,
  jsonObject,
  type LockedPackage,
  locked,
  textOf,
} from './locked-package.ts';

const MODULES = 'node_modules/';

/** `package-lock.json`, `npm-shrinkwrap.json`: versions 1 to 3. */
export function readPackageLock(text: string): LockedPackage[] {
  const root = jsonObject(text);
  return distinct(isFields(root['packages']) ? ofPaths(root['packages']) : ofTree(root['dependencies']));
}

/** Versions 2 and 3: one entry a folder. Members of the workspace are left out, what is copied into the project is not. */
function ofPaths(packages: Fields): LockedPackage[] {
  const copied = copiedFolders(packages);
  return entriesOf(packages).flatMap(([path, entry]) => {
    if (!(path.includes(MODULES) || copied.has(path)) || entry['link'] === true) return [];
    const name =
      textOf(entry['name']) ||
      (path.includes(MODULES)
        ? path.slice(path.lastIndexOf(MODULES) + MODULES.length)
        : path.slice(path.lastIndexOf('/') + 1));
    const commit = commitIn(textOf(entry['resolved']));
    return [locked({ name, version: textOf(entry['version']), ecosystem: 'npm', commit, ...scopeOf(entry) })];
  });
}

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Folders that a package of the project names as `file:folder`. */
function copiedFolders(packages: Fields): Set<string> {
  const specifiers = entriesOf(packages)
    .filter(([path]) => !path.includes(MODULES))
    .flatMap(([, entry]) =>
      DEPENDENCY_FIELDS.flatMap((field) => Object.values(isFields(entry[field]) ? entry[field] : {})),
    );
  return new Set(specifiers.flatMap((text) => /^file:(?:\.\/)?(.+?)\/?$/.exec(textOf(text))?.[1] ?? []));
}

/** Version 1: a tree, walked without recursion. */
function ofTree(root: unknown): LockedPackage[] {
  const found: LockedPackage[] = [];
  const trees = [root];
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    for (const [name, entry] of entriesOf(tree)) {
      if (isFields(entry['dependencies'])) trees.push(entry['dependencies']);
      found.push(ofTreeEntry(name, entry));
    }
  }
  return found;
}

function ofTreeEntry(name: string, entry: Fields): LockedPackage {
  const version = textOf(entry['version']);
  const groups = scopeOf(entry);
  const alias = /^npm:(.+)@([^@]+)$/.exec(version);
  if (alias !== null) return locked({ name: alias[1]!, version: alias[2]!, ecosystem: 'npm', ...groups });
  const commit = commitIn(version);
  // A file, a folder or an address stands in the place of a version.
  const isVersion = commit === null && !/[:/]/.test(version);
  return locked({ name, version: isVersion ? version : '', ecosystem: 'npm', commit, ...groups });
}

/** `devOptional`: for development, and an optional part of what runs. */
function scopeOf({ dev, optional, devOptional }: Fields): Pick<LockedPackage, 'groups' | 'dev'> {
  if (devOptional === true) return { groups: ['dev', 'optional'], dev: false };
  return { groups: [...(dev === true ? ['dev'] : []), ...(optional === true ? ['optional'] : [])], dev: dev === true };
}

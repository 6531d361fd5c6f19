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

/** Versions 2 and 3: one entry a folder. */
function ofPaths(packages: Fields): LockedPackage[] {
  return entriesOf(packages).flatMap(([path, entry]) => {
    if (!path.includes(MODULES) || entry['link'] === true) return [];
    const name = textOf(entry['name']) || path.slice(path.lastIndexOf(MODULES) + MODULES.length);
    const commit = commitIn(textOf(entry['resolved']));
    return [locked({ name, version: textOf(entry['version']), ecosystem: 'npm', commit, groups: groupsOf(entry) })];
  });
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
  const groups = groupsOf(entry);
  const alias = /^npm:(.+)@([^@]+)$/.exec(version);
  if (alias !== null) return locked({ name: alias[1]!, version: alias[2]!, ecosystem: 'npm', groups });
  const commit = commitIn(version);
  // A file, a folder or an address stands in the place of a version.
  const isVersion = commit === null && !/[:/]/.test(version);
  return locked({ name, version: isVersion ? version : '', ecosystem: 'npm', commit, groups });
}

function groupsOf({ dev, optional, devOptional }: Fields): string[] {
  if (devOptional === true) return ['dev', 'optional'];
  return [...(dev === true ? ['dev'] : []), ...(optional === true ? ['optional'] : [])];
}

import {
  commitIn,
  DocumentFault,
  distinct,
  entriesOf,
  type Fields,
  firstNames,
  isFields,
  jsonObject,
  type LockedPackage,
  locked,
  type Note,
  reachable,
  textOf,
} from './locked-package.ts';

const RUNNING = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** `bun.lock` (text, from Bun 1.2 on), without the members of the workspace. What only their `devDependencies` need is for development. */
export function readBunLock(text: string, note: Note): LockedPackage[] {
  const root = jsonObject(withoutExtras(text));
  if (!isFields(root['packages'])) throw new DocumentFault('it is no bun.lock: it has no packages');
  const packages = new Map(
    Object.entries(root['packages']).map(([key, entry]) => [key, Array.isArray(entry) ? entry : []]),
  );
  const needed = neededOf(root, packages);
  const unread: string[] = [];
  const found = [...packages].flatMap(([key, [id, ...details]]) => {
    const [, name, from] = /^((?:@[^@/]+\/)?[^@/]+)@(.+)$/.exec(textOf(id)) ?? [];
    if (name === undefined) {
      unread.push(key);
      return [];
    }
    if (/^(?:workspace|link|root):/.test(from!)) return [];
    const isVersion = /^\d/.test(from!);
    const commit = isVersion ? null : (commitIn(from!) ?? commitIn(details.map(textOf).join('#')));
    const [, tarball] = /-(\d[\w.+-]*)\.tgz$/.exec(from!) ?? [];
    return [
      locked({ name, version: isVersion ? from! : (tarball ?? ''), ecosystem: 'npm', commit, dev: !needed.has(key) }),
    ];
  });
  if (unread.length > 0) note(`no version was found of ${firstNames(unread)}`);
  return distinct(found);
}

/** Keys that the members of the workspace need to run. A key is the path of names to a package: `a/b` is the `b` of `a` alone. */
function neededOf(root: Fields, packages: ReadonlyMap<string, unknown[]>): Set<string> {
  const found = (name: string, from: string): string[] => {
    for (let at = from; at !== ''; at = parentOf(at)) if (packages.has(`${at}/${name}`)) return [`${at}/${name}`];
    return packages.has(name) ? [name] : [];
  };
  const members = entriesOf(root['workspaces']).flatMap(([, member]) => {
    const from = textOf(member['name']);
    return namesIn(member).flatMap((name) => found(name, from));
  });
  return reachable(members, (key) => {
    const details = (packages.get(key) ?? []).find(isFields);
    return details === undefined ? [] : namesIn(details).flatMap((name) => found(name, key));
  });
}

function namesIn(entry: Fields): string[] {
  return RUNNING.flatMap((field) => Object.keys(isFields(entry[field]) ? entry[field] : {}));
}

/** The path without its last name; a scope and its name are one. */
function parentOf(key: string): string {
  const cut = key.lastIndexOf('/');
  const at = key.lastIndexOf('@', cut);
  const isScoped = at !== -1 && (at === 0 || key[at - 1] === '/') && key.indexOf('/', at) === cut;
  return key.slice(0, Math.max(0, isScoped ? at - 1 : cut));
}

/** JSON of a text with comments and trailing commas. */
function withoutExtras(text: string): string {
  return text
    .replace(/("(?:[^"\\]|\\[^])*"?)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, (_, string: string | undefined) => string ?? '')
    .replace(/("(?:[^"\\]|\\[^])*"?)|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '');
}

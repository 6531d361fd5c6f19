import { isJsonObject } from '../../bounded-json.ts';
import {
  commitFromUrl,
  DocumentError,
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  parseJsonObject,
  type LockedPackage,
  createLockedPackage,
  type ReportGap,
  findReachable,
  stringOrEmpty,
} from './locked-package.ts';
import { summarizeList } from '../../display-text.ts';

const RUNTIME_DEPENDENCY_FIELDS = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** `bun.lock` (text, from Bun 1.2 on), without the members of the workspace. What only their `devDependencies` need is for development. */
export function readBunLock(text: string, note: ReportGap): LockedPackage[] {
  const root = parseJsonObject(stripCommentsAndTrailingCommas(text));
  if (!isJsonObject(root['packages'])) throw new DocumentError('it is no bun.lock: it has no packages');
  const packages = new Map(
    Object.entries(root['packages']).map(([key, entry]) => [key, Array.isArray(entry) ? entry : []]),
  );
  const needed = findRuntimeKeys(root, packages);
  const unread: string[] = [];
  const found = [...packages].flatMap(([key, [id, ...details]]) => {
    const [, name, from] = /^((?:@[^@/]+\/)?[^@/]+)@(.+)$/.exec(stringOrEmpty(id)) ?? [];
    if (name === undefined) {
      unread.push(key);
      return [];
    }
    if (/^(?:workspace|link|root):/.test(from!)) return [];
    const isVersion = /^\d/.test(from!);
    const commit = isVersion ? null : (commitFromUrl(from!) ?? commitFromUrl(details.map(stringOrEmpty).join('#')));
    const [, tarball] = /-(\d[\w.+-]*)\.tgz$/.exec(from!) ?? [];
    return [
      createLockedPackage({
        name,
        version: isVersion ? from! : (tarball ?? ''),
        ecosystem: 'npm',
        commit,
        dev: !needed.has(key),
      }),
    ];
  });
  if (unread.length > 0) note(`no version was found of ${summarizeList(unread, 3)}`);
  return mergeDuplicates(found);
}

/** Keys that the members of the workspace need to run. A key is the path of names to a package: `a/b` is the `b` of `a` alone. */
function findRuntimeKeys(root: JsonObject, packages: ReadonlyMap<string, unknown[]>): Set<string> {
  const found = (name: string, from: string): string[] => {
    for (let at = from; at !== ''; at = parentKey(at)) if (packages.has(`${at}/${name}`)) return [`${at}/${name}`];
    return packages.has(name) ? [name] : [];
  };
  const members = objectEntries(root['workspaces']).flatMap(([, member]) => {
    const from = stringOrEmpty(member['name']);
    return dependencyNames(member).flatMap((name) => found(name, from));
  });
  return findReachable(members, (key) => {
    const details = (packages.get(key) ?? []).find(isJsonObject);
    return details === undefined ? [] : dependencyNames(details).flatMap((name) => found(name, key));
  });
}

function dependencyNames(entry: JsonObject): string[] {
  return RUNTIME_DEPENDENCY_FIELDS.flatMap((field) => Object.keys(isJsonObject(entry[field]) ? entry[field] : {}));
}

/** The path without its last name; a scope and its name are one. */
function parentKey(key: string): string {
  const cut = key.lastIndexOf('/');
  const at = key.lastIndexOf('@', cut);
  const isScoped = at !== -1 && (at === 0 || key[at - 1] === '/') && key.indexOf('/', at) === cut;
  return key.slice(0, Math.max(0, isScoped ? at - 1 : cut));
}

/** JSON of a text with comments and trailing commas. */
function stripCommentsAndTrailingCommas(text: string): string {
  return text
    .replace(/("(?:[^"\\]|\\[^])*"?)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, (_, string: string | undefined) => string ?? '')
    .replace(/("(?:[^"\\]|\\[^])*"?)|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '');
}

import { isJsonObject } from '../../bounded-json.ts';
import { createOriginLookup, type DependencyEdge, type DependencyGraph } from './dependency-graph.ts';
import { dependenciesOf } from './package-json.ts';
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
  stringList,
  stringOrEmpty,
} from './locked-package.ts';
import { summarizeList } from '../../display-text.ts';

/** `bun.lock` (text, from Bun 1.2 on), without the members of the workspace. */
export function readBunLock(text: string, note: ReportGap): LockedPackage[] {
  const root = parseJsonObject(stripCommentsAndTrailingCommas(text));
  if (!isJsonObject(root['packages'])) throw new DocumentError('it is no bun.lock: it has no packages');
  const packages = new Map(
    Object.entries(root['packages']).map(([key, entry]) => [key, Array.isArray(entry) ? entry : []]),
  );
  const originOf = createOriginLookup(createGraph(root, packages));
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
        ...originOf(key),
      }),
    ];
  });
  if (unread.length > 0) note(`no version was found of ${summarizeList(unread, 3)}`);
  return mergeDuplicates(found);
}

/** A key is the path of names to a package: `a/b` is the `b` of `a` alone. */
function createGraph(root: JsonObject, packages: ReadonlyMap<string, unknown[]>): DependencyGraph {
  const find = (name: string, from: string): string[] => {
    for (let at = from; at !== ''; at = parentKey(at)) if (packages.has(`${at}/${name}`)) return [`${at}/${name}`];
    return packages.has(name) ? [name] : [];
  };
  const edgesOf = (entry: JsonObject, from: string): DependencyEdge[] => {
    const notInstalled = new Set(stringList(entry['optionalPeers']));
    return dependenciesOf(entry)
      .filter(({ name, scope }) => !(scope === 'peer' && notInstalled.has(name)))
      .flatMap(({ name, scope }) => find(name, from).map((to) => ({ to, scope })));
  };
  return {
    direct: objectEntries(root['workspaces'])
      .flatMap(([, member]) => edgesOf(member, stringOrEmpty(member['name'])))
      .filter(({ to }) => !isMember(packages.get(to)!)),
    next: (key) => {
      const details = (packages.get(key) ?? []).find(isJsonObject);
      return details === undefined ? [] : edgesOf(details, key);
    },
    nameOf: (key) => /^(.[^@]*)@/.exec(stringOrEmpty(packages.get(key)?.[0]))?.[1] ?? key,
  };
}

function isMember([id]: unknown[]): boolean {
  return /^.[^@]*@(?:workspace|root):/.test(stringOrEmpty(id));
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

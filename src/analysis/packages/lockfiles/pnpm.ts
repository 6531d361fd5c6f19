import { isJsonObject } from '../../bounded-json.ts';
import { load } from 'js-yaml';
import {
  commitFromUrl,
  DocumentError,
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  type LockedPackage,
  createLockedPackage,
  type ReportGap,
  findReachable,
  stringOrEmpty,
} from './locked-package.ts';
import { summarizeList } from '../../display-text.ts';

const MAX_DEPTH = 40;
const MAX_ALIASES = 100;

/**
 * `pnpm-lock.yaml`, versions 5 to 9. From 9 on the file does not mark what development alone needs: it is what no other dependency
 * of the projects leads to.
 */
export function readPnpmLock(text: string, note: ReportGap): LockedPackage[] {
  const root = parseYamlObject(text);
  if (root['lockfileVersion'] === undefined) throw new DocumentError('it has no lockfileVersion');
  const needed = isJsonObject(root['snapshots']) ? findRuntimeKeys(root, root['snapshots']) : null;
  const unread: string[] = [];
  const found = objectEntries(root['packages']).flatMap(([path, entry]) => {
    const one = toLockedPackage(path, entry);
    if (one === null) unread.push(path);
    else if (needed !== null) one.dev = !needed.has(path);
    return one ?? [];
  });
  if (unread.length > 0) note(`no version was found of ${summarizeList(unread, 3)}`);
  return mergeDuplicates(found);
}

/** Keys of packages that the projects need to run, by `importers` and `snapshots` of version 9. */
function findRuntimeKeys(root: JsonObject, snapshots: JsonObject): Set<string> {
  const withoutPeers = (key: string): string => key.split('(', 1)[0]!;
  const next = new Map<string, string[]>();
  for (const [key, entry] of objectEntries(snapshots)) {
    const after = next.get(withoutPeers(key)) ?? [];
    for (const field of RUNTIME_DEPENDENCY_FIELDS) after.push(...dependencyKeys(entry[field]).map(withoutPeers));
    next.set(withoutPeers(key), after);
  }
  const starts = objectEntries(root['importers']).flatMap(([, importer]) =>
    RUNTIME_DEPENDENCY_FIELDS.flatMap((field) => dependencyKeys(importer[field])),
  );
  return findReachable(starts.map(withoutPeers), (key) => next.get(key) ?? []);
}

const RUNTIME_DEPENDENCY_FIELDS = ['dependencies', 'optionalDependencies'] as const;

/** Of `name: version` or `name: {version}`; a version that is a key itself (`other@1.0.0`, an alias) stands for itself. */
function dependencyKeys(dependencies: unknown): string[] {
  return Object.entries(isJsonObject(dependencies) ? dependencies : {}).flatMap(([name, value]) => {
    const version = stringOrEmpty(isJsonObject(value) ? value['version'] : value);
    return version === '' ? [] : [`${name}@${version}`, version];
  });
}

/** A YAML mapping, bounded in depth and aliases; `DocumentError` for anything else. */
export function parseYamlObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = load(text, { maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch (error) {
    throw new DocumentError(`it is no YAML: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 120)}`);
  }
  if (!isJsonObject(value)) throw new DocumentError('its YAML is no mapping');
  return value;
}

function toLockedPackage(path: string, entry: JsonObject): LockedPackage | null {
  const resolution = isJsonObject(entry['resolution']) ? entry['resolution'] : {};
  const commit = (stringOrEmpty(resolution['commit']) || null) ?? commitFromUrl(stringOrEmpty(resolution['tarball']));
  const named = parsePackagePath(path);
  const name = stringOrEmpty(entry['name']) || named?.name;
  const version = stringOrEmpty(entry['version']) || named?.version;
  if (name === undefined || version === undefined) return null;
  const groups = [...(entry['dev'] === true ? ['dev'] : []), ...(entry['optional'] === true ? ['optional'] : [])];
  return createLockedPackage({ name, version, ecosystem: 'npm', commit, groups });
}

/**
 * `/@scope/name/1.0.0_peers`, `/name/1.0.0/peers`, `registry.host/name/1.0.0`, `/name@1.0.0(peers)`, `name@1.0.0`, `name@https://...`; null where no name
 * is there. An address in the place of a version is not a version.
 */
function parsePackagePath(path: string): { name: string; version: string | undefined } | null {
  const plain = path.split('(', 1)[0]!;
  const newer = /^\/?((?:@[^@/]+\/)?[^@/]+)@(?:(\d[^@/:]*)|[a-z+]+:.*|git@.*)$/.exec(plain);
  if (newer !== null) return { name: newer[1]!, version: newer[2] };
  const older = /^(?:[^@/]*\/)?((?:@[^@/]+\/)?[^@/]+)\/(\d[^/_]*)(?:[_/].*)?$/.exec(plain);
  return older === null ? null : { name: older[1]!, version: older[2]! };
}

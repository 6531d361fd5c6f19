import { isJsonObject } from '../../bounded-json.ts';
import { load } from 'js-yaml';
import { createOriginLookup, type DependencyEdge, type PackageOrigin } from './dependency-graph.ts';
import {
  commitFromUrl,
  DocumentError,
  mergeDuplicates,
  objectEntries,
  type JsonObject,
  type LockedPackage,
  createLockedPackage,
  mergeOrigins,
  type ReportGap,
  stringOrEmpty,
} from './locked-package.ts';
import { summarizeList } from '../../display-text.ts';

const MAX_DEPTH = 40;
const MAX_ALIASES = 100;

/**
 * `pnpm-lock.yaml`, versions 5 to 9. From 9 on the file does not mark what development or an option alone needs: it is what no other
 * dependency of the projects leads to.
 */
export function readPnpmLock(text: string, note: ReportGap): LockedPackage[] {
  const root = parseYamlObject(text);
  if (root['lockfileVersion'] === undefined) throw new DocumentError('it has no lockfileVersion');
  const originOf = readOrigins(root);
  const unread: string[] = [];
  const found = objectEntries(root['packages']).flatMap(([path, entry]) => {
    const one = toLockedPackage(path, entry);
    if (one === null) unread.push(path);
    return one === null ? [] : [{ ...one, ...originOf(path, one) }];
  });
  if (unread.length > 0) note(`no version was found of ${summarizeList(unread, 3)}`);
  return mergeDuplicates(found);
}

/** By the path of a package. From version 9 on `snapshots` has the package once for each set of peers. */
function readOrigins(root: JsonObject): (path: string, one: LockedPackage) => PackageOrigin {
  const isMarked = !isJsonObject(root['snapshots']);
  const entries = new Map(objectEntries(isMarked ? root['packages'] : root['snapshots']));
  const find = (name: string, version: string): string | undefined =>
    [version, `${name}@${version}`, `/${name}@${version}`, `/${name}/${version}`].find((key) => entries.has(key));
  // Before there were workspaces the one project stood at the top.
  const projects = root['importers'] === undefined ? [root] : objectEntries(root['importers']).map(([, one]) => one);
  const lookUp = createOriginLookup({
    direct: projects.flatMap((project) => dependencyEdges(project, PROJECT_FIELDS, find)),
    next: (key) => dependencyEdges(entries.get(key) ?? {}, PACKAGE_FIELDS, find),
    nameOf: (key) => stringOrEmpty(entries.get(key)?.['name']) || (parsePackagePath(key)?.name ?? key),
  });
  if (isMarked) return (path, { ways }) => ({ ...lookUp(path), ways });
  const keysByPath = Map.groupBy(entries.keys(), (key) => key.split('(', 1)[0]!);
  return (path) => mergeOrigins((keysByPath.get(path) ?? [path]).map(lookUp));
}

const PACKAGE_FIELDS = [
  ['dependencies', undefined],
  ['optionalDependencies', 'optional'],
] as const;
const PROJECT_FIELDS = [...PACKAGE_FIELDS, ['devDependencies', 'dev']] as const;

/** Of `name: version` or `name: {version}`; a version that is a key itself (`other@1.0.0`, an alias) stands for itself. */
function dependencyEdges(
  entry: JsonObject,
  fields: typeof PACKAGE_FIELDS | typeof PROJECT_FIELDS,
  find: (name: string, version: string) => string | undefined,
): DependencyEdge[] {
  return fields.flatMap(([field, scope]) =>
    Object.entries(isJsonObject(entry[field]) ? entry[field] : {}).flatMap(([name, value]) => {
      const to = find(name, stringOrEmpty(isJsonObject(value) ? value['version'] : value));
      return to === undefined ? [] : [{ to, scope }];
    }),
  );
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

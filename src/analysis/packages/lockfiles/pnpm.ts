import { load } from 'js-yaml';
import {
  commitIn,
  DocumentFault,
  distinct,
  entriesOf,
  type Fields,
  firstNames,
  isFields,
  type LockedPackage,
  locked,
  type Note,
  reachable,
  textOf,
} from './locked-package.ts';

const MAX_DEPTH = 40;
const MAX_ALIASES = 100;

/**
 * `pnpm-lock.yaml`, versions 5 to 9. From 9 on the file does not mark what development alone needs: it is what no other dependency
 * of the projects leads to.
 */
export function readPnpmLock(text: string, note: Note): LockedPackage[] {
  const root = yamlObject(text);
  if (root['lockfileVersion'] === undefined) throw new DocumentFault('it has no lockfileVersion');
  const needed = isFields(root['snapshots']) ? neededOf(root, root['snapshots']) : null;
  const unread: string[] = [];
  const found = entriesOf(root['packages']).flatMap(([path, entry]) => {
    const one = packageOf(path, entry);
    if (one === null) unread.push(path);
    else if (needed !== null) one.dev = !needed.has(path);
    return one ?? [];
  });
  if (unread.length > 0) note(`no version was found of ${firstNames(unread)}`);
  return distinct(found);
}

/** Keys of packages that the projects need to run, by `importers` and `snapshots` of version 9. */
function neededOf(root: Fields, snapshots: Fields): Set<string> {
  const withoutPeers = (key: string): string => key.split('(', 1)[0]!;
  const next = new Map<string, string[]>();
  for (const [key, entry] of entriesOf(snapshots)) {
    const after = next.get(withoutPeers(key)) ?? [];
    for (const field of RUNNING) after.push(...namedIn(entry[field]).map(withoutPeers));
    next.set(withoutPeers(key), after);
  }
  const starts = entriesOf(root['importers']).flatMap(([, importer]) =>
    RUNNING.flatMap((field) => namedIn(importer[field])),
  );
  return reachable(starts.map(withoutPeers), (key) => next.get(key) ?? []);
}

const RUNNING = ['dependencies', 'optionalDependencies'] as const;

/** Of `name: version` or `name: {version}`; a version that is a key itself (`other@1.0.0`, an alias) stands for itself. */
function namedIn(dependencies: unknown): string[] {
  return Object.entries(isFields(dependencies) ? dependencies : {}).flatMap(([name, value]) => {
    const version = textOf(isFields(value) ? value['version'] : value);
    return version === '' ? [] : [`${name}@${version}`, version];
  });
}

/** A YAML mapping, bounded in depth and aliases; `DocumentFault` for anything else. */
export function yamlObject(text: string): Fields {
  let value: unknown;
  try {
    value = load(text, { maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch (error) {
    throw new DocumentFault(`it is no YAML: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 120)}`);
  }
  if (!isFields(value)) throw new DocumentFault('its YAML is no mapping');
  return value;
}

function packageOf(path: string, entry: Fields): LockedPackage | null {
  const resolution = isFields(entry['resolution']) ? entry['resolution'] : {};
  const commit = (textOf(resolution['commit']) || null) ?? commitIn(textOf(resolution['tarball']));
  const named = nameAndVersion(path);
  const name = textOf(entry['name']) || named?.name;
  const version = textOf(entry['version']) || named?.version;
  if (name === undefined || version === undefined) return null;
  const groups = [...(entry['dev'] === true ? ['dev'] : []), ...(entry['optional'] === true ? ['optional'] : [])];
  return locked({ name, version, ecosystem: 'npm', commit, groups });
}

/**
 * `/@scope/name/1.0.0_peers`, `/name/1.0.0/peers`, `registry.host/name/1.0.0`, `/name@1.0.0(peers)`, `name@1.0.0`, `name@https://...`; null where no name
 * is there. An address in the place of a version is not a version.
 */
function nameAndVersion(path: string): { name: string; version: string | undefined } | null {
  const plain = path.split('(', 1)[0]!;
  const newer = /^\/?((?:@[^@/]+\/)?[^@/]+)@(?:(\d[^@/:]*)|[a-z+]+:.*|git@.*)$/.exec(plain);
  if (newer !== null) return { name: newer[1]!, version: newer[2] };
  const older = /^(?:[^@/]*\/)?((?:@[^@/]+\/)?[^@/]+)\/(\d[^/_]*)(?:[_/].*)?$/.exec(plain);
  return older === null ? null : { name: older[1]!, version: older[2]! };
}

import { load } from 'js-yaml';
import {
  commitIn,
  DocumentFault,
  distinct,
  entriesOf,
  type Fields,
  isFields,
  type LockedPackage,
  locked,
  textOf,
} from './locked-package.ts';

const MAX_DEPTH = 40;
const MAX_ALIASES = 100;

/** `pnpm-lock.yaml`, versions 5 to 9. */
export function readPnpmLock(text: string): LockedPackage[] {
  const root = yamlObject(text);
  if (root['lockfileVersion'] === undefined) throw new DocumentFault('it has no lockfileVersion');
  return distinct(entriesOf(root['packages']).flatMap(([path, entry]) => packageOf(path, entry)));
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

function packageOf(path: string, entry: Fields): LockedPackage[] {
  const resolution = isFields(entry['resolution']) ? entry['resolution'] : {};
  const commit = (textOf(resolution['commit']) || null) ?? commitIn(textOf(resolution['tarball']));
  const named = nameAndVersion(path);
  const name = textOf(entry['name']) || named?.name;
  const version = textOf(entry['version']) || named?.version;
  if (name === undefined || version === undefined) return [];
  const groups = [...(entry['dev'] === true ? ['dev'] : []), ...(entry['optional'] === true ? ['optional'] : [])];
  return [locked({ name, version, ecosystem: 'npm', commit, groups })];
}

/** `/@scope/name/1.0.0_peers`, `registry.host/name/1.0.0`, `/name@1.0.0(peers)`, `name@1.0.0`; null where there is no version. */
function nameAndVersion(path: string): { name: string; version: string } | null {
  const plain = path.split('(', 1)[0]!;
  const newer = /^\/?((?:@[^@/]+\/)?[^@/]+)@(\d[^@/]*)$/.exec(plain);
  if (newer !== null) return { name: newer[1]!, version: newer[2]! };
  const older = /^(?:[^@/]*\/)?((?:@[^@/]+\/)?[^@/]+)\/(\d[^/_]*)(?:_.*)?$/.exec(plain);
  return older === null ? null : { name: older[1]!, version: older[2]! };
}

import { parse } from 'smol-toml';
import {
  DocumentFault,
  distinct,
  entriesOf,
  type Fields,
  isFields,
  jsonObject,
  type LockedPackage,
  listOf,
  locked,
  textOf,
} from './locked-package.ts';

const REQUIREMENT = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(.*)$/;
const SPECIFIER = /^\(?\s*(?:===|==|~=|>=|<=|!=|>|<)\s*([^\s,;)]+)/;

/** `requirements.txt`: each requirement with the first version that it names. */
export function readRequirements(text: string): LockedPackage[] {
  const found: LockedPackage[] = [];
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const line = index + 1;
    const parts = [lines[index]!];
    while (parts.at(-1)!.endsWith('\\') && index + 1 < lines.length) parts.push(lines[++index]!);
    const whole = parts.map((part) => part.replace(/\\$/, ' ')).join('');
    const plain = whole.replace(/(?:^|\s)#.*$/, '').trim();
    if (plain === '' || plain.startsWith('-')) continue;
    const [, name, rest] = REQUIREMENT.exec(plain) ?? [];
    if (name === undefined) continue;
    const version = SPECIFIER.exec(rest!)?.[1] ?? '';
    found.push(locked({ name, version: version.includes('*') ? '' : version, ecosystem: 'PyPI', line }));
  }
  return distinct(found);
}

/** `poetry.lock`. */
export function readPoetryLock(text: string): LockedPackage[] {
  return distinct(
    listOf(tomlObject(text)['package']).map((entry) => {
      const source = isFields(entry['source']) ? entry['source'] : {};
      return locked({
        name: textOf(entry['name']),
        version: textOf(entry['version']),
        ecosystem: 'PyPI',
        commit: textOf(source['resolved_reference']) || null,
        groups: poetryGroups(entry),
      });
    }),
  );
}

function poetryGroups({ groups, category, optional }: Fields): string[] {
  const named = Array.isArray(groups) ? groups.map(textOf) : [textOf(category) || 'main'];
  return [...(named.includes('main') ? [] : named), ...(optional === true ? ['optional'] : [])];
}

/** `Pipfile.lock`. */
export function readPipfileLock(text: string): LockedPackage[] {
  const root = jsonObject(text);
  const section = (name: string, groups: string[]): LockedPackage[] =>
    entriesOf(root[name]).map(([name, entry]) =>
      locked({
        name,
        version: textOf(entry['version']).replace(/^==/, ''),
        ecosystem: 'PyPI',
        commit: textOf(entry['ref']) || null,
        groups,
      }),
    );
  return distinct([...section('default', []), ...section('develop', ['dev'])]);
}

/** A TOML document; `DocumentFault` for anything else. */
export function tomlObject(text: string): Fields {
  try {
    return parse(text);
  } catch (error) {
    throw new DocumentFault(`it is no TOML: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 120)}`);
  }
}

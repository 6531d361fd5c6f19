import { parseXml } from '../parse-xml.ts';
import { createOriginLookup } from './dependency-graph.ts';
import {
  createLockedPackage,
  DocumentError,
  fieldNames,
  type JsonObject,
  type LockedPackage,
  mergeDuplicates,
  objectEntries,
  parseJsonObject,
  stringOrEmpty,
} from './locked-package.ts';

/** NuGet's `packages.lock.json`: by framework; the projects of the solution itself are left out. */
export function readNugetLock(text: string): LockedPackage[] {
  const frameworks = objectEntries(parseJsonObject(text)['dependencies']);
  const entries = new Map(
    frameworks.flatMap(([framework, packages]) =>
      objectEntries(packages).map(([name, entry]) => [keyOf(framework, name), { framework, name, entry }] as const),
    ),
  );
  /** A section of one runtime (`net8.0/win-x64`) has only what differs from that of its framework. */
  const find = (framework: string, name: string): string | undefined =>
    [keyOf(framework, name), keyOf(framework.split('/', 1)[0]!, name)].find((key) => entries.has(key));
  const originOf = createOriginLookup({
    direct: [...entries].flatMap(([to, { entry }]) =>
      typeOf(entry) === 'direct' || typeOf(entry) === 'project' ? [{ to }] : [],
    ),
    next: (key) => {
      const one = entries.get(key);
      return fieldNames(one?.entry['dependencies']).flatMap((name) => {
        const to = find(one!.framework, name);
        return to === undefined ? [] : [{ to }];
      });
    },
    nameOf: (key) => entries.get(key)?.name ?? key,
  });
  return mergeDuplicates(
    [...entries].flatMap(([key, { name, entry }]) =>
      typeOf(entry) === 'project'
        ? []
        : [
            createLockedPackage({
              name,
              version: stringOrEmpty(entry['resolved']),
              ecosystem: 'NuGet',
              ...originOf(key),
            }),
          ],
    ),
  );
}

function keyOf(framework: string, name: string): string {
  return `${framework}\n${name.toLowerCase()}`;
}

function typeOf(entry: JsonObject): string {
  return stringOrEmpty(entry['type']).toLowerCase();
}

/** NuGet's `packages.config`. */
export function readPackagesConfig(text: string): LockedPackage[] {
  const root = parseXml(text).find(({ name }) => name === 'packages');
  if (root === undefined) throw new DocumentError('it is no packages.config: there is no <packages>');
  return mergeDuplicates(
    root.elements
      .filter(({ name }) => name === 'package')
      .map(({ attributes }) =>
        createLockedPackage({
          name: attributes['id'] ?? '',
          version: attributes['version'] ?? '',
          ecosystem: 'NuGet',
          groups: attributes['developmentDependency'] === 'true' ? ['dev'] : [],
        }),
      ),
  );
}

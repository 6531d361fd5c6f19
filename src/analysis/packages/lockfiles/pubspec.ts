import { isJsonObject } from '../../bounded-json.ts';
import {
  createLockedPackage,
  type LockedPackage,
  mergeDuplicates,
  objectEntries,
  stringOrEmpty,
} from './locked-package.ts';
import { parseYamlObject } from './pnpm.ts';

/**
 * Dart's `pubspec.lock`; the SDK and folders of the project are left out. It says what is direct, and of nothing else what needs it or
 * whether that is for development.
 */
export function readPubspecLock(text: string): LockedPackage[] {
  return mergeDuplicates(
    objectEntries(parseYamlObject(text)['packages']).flatMap(([key, entry]) => {
      if (['sdk', 'path'].includes(stringOrEmpty(entry['source']))) return [];
      const description = isJsonObject(entry['description']) ? entry['description'] : {};
      const dependency = stringOrEmpty(entry['dependency']);
      return [
        createLockedPackage({
          name: stringOrEmpty(description['name']) || key,
          version: stringOrEmpty(entry['version']),
          ecosystem: 'Pub',
          commit: stringOrEmpty(description['resolved-ref']) || null,
          groups: dependency === 'direct dev' ? ['dev'] : [],
          ...(dependency.startsWith('direct') && { broughtBy: [] }),
        }),
      ];
    }),
  );
}

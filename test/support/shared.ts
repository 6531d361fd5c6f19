import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.env['SEXTANT_TEST_SHARED'] ?? fileURLToPath(new URL('../../../shared/', import.meta.url));

/**
 * Path of a file or folder in the shared test data (feeds, suites), or null where it is absent.
 * The data stands in `shared` beside the checkout, or where `SEXTANT_TEST_SHARED` says.
 */
export function sharedPath(...parts: string[]): string | null {
  const path = join(root, ...parts);
  return existsSync(path) ? path : null;
}

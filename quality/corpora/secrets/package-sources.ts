import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretCase } from './secret-case.ts';

const MAX_BYTES = 512 * 1024;
const SNIFFED_BYTES = 8192;
/** Keys in sources that were read and are keys, if only of tests: the path ends like this, and the line has this. */
const SECRETS: readonly { path: string; text: string }[] = [
  { path: 'smtp-server/dist/cjs/tls-options.js', text: '-----BEGIN RSA PRIVATE KEY-----' },
  { path: 'smtp-server/dist/esm/tls-options.js', text: '-----BEGIN RSA PRIVATE KEY-----' },
];

/** The text files of the packages that are installed for this project: published sources of others, read for false alarms. */
export function packageSources(nodeModules: string): SecretCase[] {
  return globSync('**/*', { cwd: nodeModules })
    .toSorted()
    .flatMap((path) => {
      const { size, file } = describeFile(join(nodeModules, path));
      if (!file || size > MAX_BYTES) return [];
      const content = readFileSync(join(nodeModules, path));
      if (content.subarray(0, SNIFFED_BYTES).includes(0)) return [];
      const text = content.toString();
      return [{ path, text, about: 'source of a package', secrets: secretsIn(path, text), clean: [] }];
    });
}

function describeFile(path: string): { size: number; file: boolean } {
  const stats = statSync(path, { throwIfNoEntry: false });
  return { size: stats?.size ?? 0, file: stats?.isFile() === true };
}

function secretsIn(path: string, text: string): SecretCase['secrets'] {
  return SECRETS.filter((secret) => path.endsWith(secret.path)).flatMap((secret) => {
    const line = text.split('\n').findIndex((one) => one.includes(secret.text));
    return line === -1 ? [] : [{ line: line + 1, value: secret.text }];
  });
}

#!/usr/bin/env node
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

try {
  await import(isBuildCurrent() ? '../dist/main.js' : '../src/main.ts');
} catch (error) {
  // An older Node cannot read the program at all, so that it could say itself what it needs.
  if (error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
  process.stderr.write(`sextant: needs Node 26 or newer; this is ${process.version}\n`);
  process.exitCode = 1;
}

/** Whether there is a build that nothing in the source is newer than. An image has no source. */
function isBuildCurrent() {
  const builtAt = changeTime('dist/main.js');
  if (builtAt === null) return false;
  if (changeTime('src') === null) return true;
  const files = readdirSync(packagePath('src'), { recursive: true }).map((path) => `src/${path}`);
  return ['src', 'package-lock.json', ...files].every((path) => (changeTime(path) ?? Infinity) <= builtAt);
}

/** Milliseconds since 1970; null: there is no such file. */
function changeTime(path) {
  return statSync(packagePath(path), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function packagePath(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

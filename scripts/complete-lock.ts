/**
 * Completes package-lock.json. Run it after a change of dependencies.
 *
 * - Optional dependencies for other platforms: npm leaves out packages that the configured registry does not have, and then `npm ci`
 *   fails because the lock file is incomplete.
 * - Addresses of packages (`resolved`), those of the public registry, which npm replaces by the configured one. Without them `npm ci`
 *   asks for the description of each package first, and does not use its cache.
 * - With `--integrity` missing hashes, asked of the registry; it lists those that the registry does not have.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const SYSTEMS = new Set([
  'android',
  'darwin',
  'linux',
  'win32',
  'freebsd',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'aix',
]);
const PROCESSORS = new Set([
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]);

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };
let added = 0;
for (const [path, locked] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
    const known = lock.packages[`node_modules/${name}`] ?? lock.packages[`${path}/node_modules/${name}`];
    if (known !== undefined || !/^\d+\.\d+\.\d+/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(locked.dev ? { dev: true } : {}),
      optional: true,
    };
    added++;
  }
}
for (const [path, locked] of packages()) {
  // The same place in each entry as npm gives it.
  const { version, ...others } = locked;
  lock.packages[path] = { version: version!, resolved: addressOf(nameOf(path), version!), ...others };
}
if (process.argv.includes('--integrity')) await addHashes();
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(`${added} added`);

/** Entries of packages from the registry. */
function packages(): [path: string, locked: Locked][] {
  return Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && link !== true);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Where the public registry has a package. */
function addressOf(name: string, version: string): string {
  return `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

/** One package after the other, because there are few. */
async function addHashes(): Promise<void> {
  for (const [path, locked] of packages()) {
    if (locked.integrity !== undefined) continue;
    const wanted = `${nameOf(path)}@${locked.version}`;
    const integrity = await hashOf(wanted);
    if (integrity === null) console.log(`no hash of ${wanted}`);
    else locked.integrity = integrity;
  }
}

async function hashOf(wanted: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', wanted, 'dist.integrity'], { timeout: 60_000 });
    return /^sha512-\S+$/.exec(stdout.trim())?.[0] ?? null;
  } catch {
    return null;
  }
}

/** The platform of a package from the last part of its name: `cli-linux-x64-musl`. */
function platformOf(name: string): Pick<Locked, 'os' | 'cpu' | 'libc'> {
  const words = name.split('/').at(-1)!.split(/[-_]/);
  const os = words.map((word) => (word === 'windows' ? 'win32' : word)).find((word) => SYSTEMS.has(word));
  const cpu = words.map((word) => (word === 'armv7' ? 'arm' : word)).find((word) => PROCESSORS.has(word));
  const musl = words.some((word) => word.startsWith('musl'));
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === undefined ? {} : { os: [os] }),
    ...(os === 'linux' ? { libc: [musl ? 'musl' : 'glibc'] } : {}),
  };
}

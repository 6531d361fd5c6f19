/**
 * Adds the optional dependencies for other platforms to package-lock.json. npm leaves out packages that the configured registry
 * does not have, and then `npm ci` fails because the lock file is incomplete. Run it after a change of dependencies; with
 * `--integrity` it also asks the registry for missing hashes and lists those that it does not have.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

interface Locked {
  version?: string;
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
if (process.argv.includes('--integrity')) await addHashes();
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(`${added} added`);

/** One package after the other, because there are few. */
async function addHashes(): Promise<void> {
  for (const [path, locked] of Object.entries(lock.packages)) {
    if (path === '' || locked.link === true || locked.integrity !== undefined) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const integrity = await hashOf(`${name}@${locked.version}`);
    if (integrity === null) console.log(`no hash of ${name}@${locked.version}`);
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

import { normalizeCpeToken, parseCpeLenient } from '../cve/cpe.ts';

/** The system that a subject runs on, as far as its caller says it. */
export interface Platform {
  /** In the form of `normalizeCpeToken`: `windows_10`, `linux`, `wordpress`. */
  token: string;
  version: string | null;
}

/** From a CPE name or a plain name (`Windows Server 2019`, `linux`). */
export function parsePlatform(text: string): Platform {
  const name = parseCpeLenient(text);
  if (name === null) return { token: normalizeCpeToken(text), version: null };
  return { token: normalizeCpeToken(name.product), version: name.version === '-' ? null : name.version };
}

/** Names that denote every system of a family. */
const GENERIC_NAMES: ReadonlySet<string> = new Set([
  'windows',
  'linux',
  'linux_kernel',
  'macos',
  'mac_os',
  'mac_os_x',
  'android',
  'iphone_os',
]);

const FAMILIES: readonly [family: string, names: RegExp][] = [
  ['windows', /^(?:microsoft_)?windows(?:_|$)/],
  [
    'linux',
    /^(?:linux|linux_kernel|.*_linux|ubuntu|debian|fedora|centos|rhel|enterprise_linux.*|opensuse|leap|suse.*|rocky|almalinux)$/,
  ],
  ['macos', /^(?:macos|mac_os|mac_os_x|os_x|osx)$/],
  ['android', /^android$/],
  ['ios', /^(?:iphone_os|ipados|ipad_os)$/],
  ['freebsd', /^freebsd$/],
  ['solaris', /^(?:solaris|sunos)$/],
  ['aix', /^aix$/],
];

function familyOf(token: string): string | null {
  return FAMILIES.find(([, names]) => names.test(token))?.[0] ?? null;
}

/** Whether a name in a rule is an operating system: then the rule depends on where the subject runs. */
export function isOperatingSystem(token: string): boolean {
  return familyOf(token) !== null;
}

/**
 * Whether a platform is what a rule names, regardless of versions. Null: it may be (`windows` asked for `windows_10`, or systems that are not
 * known to exclude one another).
 */
export function isSamePlatform(platform: Platform, named: string): boolean | null {
  if (platform.token === named) return true;
  const [given, required] = [familyOf(platform.token), familyOf(named)];
  if (given === null || required === null) return null;
  if (given !== required) return false;
  return GENERIC_NAMES.has(named) ? true : null;
}

/** A package as the list of its package manager has it. */
export interface InstalledPackage {
  name: string;
  version: string;
  /** What it was built from. */
  source: { name: string; version: string };
}

/** In these states nothing of a package is there but its configuration (dpkg(1), "Package states"). */
const NOT_INSTALLED: ReadonlySet<string> = new Set(['not-installed', 'config-files']);

/** dpkg's `status`, or a file of `status.d`: paragraphs of fields (deb-control(5)). */
export function readDpkgStatus(text: string): InstalledPackage[] {
  return paragraphsOf(text, ': ').flatMap((fields) => {
    const name = fields.get('Package');
    const version = fields.get('Version');
    const state = fields.get('Status')?.split(' ').at(-1) ?? 'installed';
    if (name === undefined || version === undefined || NOT_INSTALLED.has(state)) return [];
    // The source has a version of its own where it differs: `glibc (2.36-9)`.
    const [, source = name, sourceVersion = version] = /^(\S+)(?: \(([^)]+)\))?/.exec(fields.get('Source') ?? '') ?? [];
    return [{ name, version, source: { name: source, version: sourceVersion } }];
  });
}

/** apk's `installed` (apk-v2(5)): fields of one letter. */
export function readApkInstalled(text: string): InstalledPackage[] {
  return paragraphsOf(text, ':').flatMap((fields) => {
    const name = fields.get('P');
    const version = fields.get('V');
    if (name === undefined || version === undefined) return [];
    return [{ name, version, source: { name: fields.get('o') ?? name, version } }];
  });
}

/** Lines that go on with a field begin with a space, and hold nothing that is needed. */
function paragraphsOf(text: string, separator: string): Map<string, string>[] {
  const paragraphs = [new Map<string, string>()];
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf(separator);
    if (line.trim() === '') paragraphs.push(new Map());
    else if (at > 0 && !line.startsWith(' '))
      paragraphs.at(-1)!.set(line.slice(0, at), line.slice(at + separator.length).trim());
  }
  return paragraphs;
}

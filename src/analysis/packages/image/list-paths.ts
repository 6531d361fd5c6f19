/** Folders and files of an image that say which packages it has, and of which distribution. */
export const IMAGE_PATHS: readonly string[] = [
  'etc/os-release',
  'usr/lib/os-release',
  'var/lib/dpkg/status',
  'var/lib/dpkg/status.d',
  'lib/apk/db/installed',
  'usr/lib/apk/db/installed',
  'var/lib/rpm',
  'usr/lib/sysimage/rpm',
];

const RPM_DATABASE = /^(?:var\/lib|usr\/lib\/sysimage)\/rpm\/(?:rpmdb\.sqlite(?:-wal)?|Packages(?:\.db)?)$/;
const DPKG_FOLDER_FILE = /^var\/lib\/dpkg\/status\.d\/[^/]+$/;

/** Whether a file of an image lists packages, or names the distribution. */
export function isListPath(path: string): boolean {
  if (RPM_DATABASE.test(path)) return true;
  // Images without a package manager have a file for each package, and one with checksums.
  if (DPKG_FOLDER_FILE.test(path)) return !path.endsWith('.md5sums');
  return /\/(?:os-release|status|installed)$/.test(path) && IMAGE_PATHS.includes(path);
}

/** Whether its content is read: of databases in forms that cannot be read it is enough that they are there. */
export function isReadableList(path: string): boolean {
  return !/\/(?:Packages(?:\.db)?|rpmdb\.sqlite-wal)$/.test(path);
}

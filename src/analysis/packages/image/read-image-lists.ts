import { ecosystemOfOsRelease } from '../distributions.ts';
import { createLockedPackage, type LockedPackage, type ReportGap } from '../lockfiles/locked-package.ts';
import { readApkInstalled, readDpkgStatus, type InstalledPackage } from './package-lists.ts';
import { readRpmDatabase } from './rpm-database.ts';

const RELEASE_FILES = ['etc/os-release', 'usr/lib/os-release'];
const UNREAD_DATABASES: readonly [name: RegExp, form: string][] = [
  [/\/Packages$/, 'Berkeley DB'],
  [/\/Packages\.db$/, 'NDB'],
];

/**
 * The packages of an image by the files that list them, by path; null for the content of one in a form that cannot be read. `note` is called
 * with what was not read.
 */
export function readImageLists(files: ReadonlyMap<string, Uint8Array | null>, note: ReportGap): LockedPackage[] {
  const release = RELEASE_FILES.map((path) => files.get(path)).find((content) => content != null);
  const { id, versionId } = parseOsRelease(release === undefined ? '' : textOf(release));
  const ecosystem = ecosystemOfOsRelease(id, versionId);
  const lists = [...files].filter(([path]) => !RELEASE_FILES.includes(path));
  if (lists.length === 0) note('it has no list of packages that is known here (dpkg, apk, RPM)');
  return lists.flatMap(([path, content]) =>
    readList(path, content, note).map(({ name, source, version }) =>
      createLockedPackage({
        name: ecosystem?.isBySource === false ? name : source.name,
        version: ecosystem?.isBySource === false ? version : source.version,
        ecosystem: ecosystem?.name ?? null,
        ...(ecosystem === null && { problem: unknownReleaseProblem(id, versionId) }),
      }),
    ),
  );
}

function readList(path: string, content: Uint8Array | null, note: ReportGap): InstalledPackage[] {
  if (content === null) {
    const form = UNREAD_DATABASES.find(([name]) => name.test(path))?.[1];
    if (form === undefined) note(`changes of the RPM database in ${path} were not read`);
    else note(`${path} is an RPM database in the form of ${form}, which cannot be read here`);
    return [];
  }
  if (path.endsWith('/rpmdb.sqlite')) return readRpmDatabase(content, path, note);
  if (path.endsWith('/installed')) return readApkInstalled(textOf(content));
  return readDpkgStatus(textOf(content));
}

function unknownReleaseProblem(id: string, versionId: string): string {
  if (id === '') return 'the image does not say of which distribution it is';
  return `packages of ${`${id} ${versionId}`.trim().slice(0, 60)} cannot be checked here`;
}

/** os-release(5). */
function parseOsRelease(text: string): { id: string; versionId: string } {
  const value = (name: string): string =>
    new RegExp(`^${name}=["']?([^"'\\n\\r]{0,100})`, 'm').exec(text)?.[1]?.trim() ?? '';
  return { id: value('ID').toLowerCase(), versionId: value('VERSION_ID') };
}

function textOf(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}

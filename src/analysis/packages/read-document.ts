import { cleanText } from '../text.ts';
import { readGoMod } from './lockfiles/go.ts';
import { DocumentFault, type Fields, type LockedPackage } from './lockfiles/locked-package.ts';
import { readPackageLock } from './lockfiles/npm.ts';
import { readCargoLock, readComposerLock, readGemfileLock, readGradleLock, readNugetLock } from './lockfiles/others.ts';
import { readPnpmLock } from './lockfiles/pnpm.ts';
import { readPom } from './lockfiles/pom.ts';
import { readPipfileLock, readPoetryLock, readRequirements } from './lockfiles/python.ts';
import { readYarnLock } from './lockfiles/yarn.ts';
import { type PackageRef, packageIdentity, packageLabel } from './package-ref.ts';
import { readSbomObject, readSbomText } from './sbom.ts';

/** Files beside a lockfile that it may need, by their path relative to it: `go.sum`, `../pom.xml`. */
export type Companions = Readonly<Record<string, string>>;

type Reader = (text: string, companions: Companions) => LockedPackage[];

/** By the name of the file; the text is a regular expression for the whole name. */
const READERS: readonly [format: string, name: RegExp, read: Reader][] = [
  ['package-lock.json', /^(?:package-lock|npm-shrinkwrap)\.json$/, readPackageLock],
  ['yarn.lock', /^yarn\.lock$/, readYarnLock],
  ['pnpm-lock.yaml', /^pnpm-lock\.ya?ml$/, readPnpmLock],
  ['requirements.txt', /^[\w.-]{0,100}requirements[\w.-]{0,100}\.txt$/, readRequirements],
  ['poetry.lock', /^poetry\.lock$/, readPoetryLock],
  ['Pipfile.lock', /^pipfile\.lock$/, readPipfileLock],
  ['go.mod', /^go\.mod$/, (text, companions) => readGoMod(text, companions['go.sum'])],
  ['Cargo.lock', /^cargo\.lock$/, readCargoLock],
  ['Gemfile.lock', /^(?:gemfile|gems)\.(?:lock|locked)$/, readGemfileLock],
  ['composer.lock', /^composer\.lock$/, readComposerLock],
  ['pom.xml', /^pom\.xml$/, (text, companions) => readPom(text, (path) => companions[path])],
  ['gradle.lockfile', /^(?:buildscript-)?gradle\.lockfile$/, readGradleLock],
  ['packages.lock.json', /^packages\.lock\.json$/, readNugetLock],
];

/** The lockfiles and manifests that can be read. */
export const LOCKFILE_FORMATS: readonly string[] = READERS.map(([format]) => format);

/** A part of a document's packages: at most `limit`, from `offset` on. */
export interface Page {
  offset: number;
  limit: number;
}

/** What was read of a document: plain data, as it comes from a thread. */
export interface DocumentPackages {
  /** Each once, in the order of the document. */
  packages: PackageRef[];
  /** Different packages in the whole document. */
  given: number;
  /** Labels of the first of those that come after. */
  notReached: string[];
  nextOffset: number | null;
}

/** What was read, or what is wrong with the document. */
export type Reading = { read: DocumentPackages; fault: null } | { read: null; fault: string };

const MAX_LABELS = 1000;
const WHOLE: Page = { offset: 0, limit: Number.POSITIVE_INFINITY };

/** The format of a lockfile by its name or path, in any case; null where it is none that can be read. */
export function lockfileFormat(filename: string): string | null {
  return readerOf(filename)?.[0] ?? null;
}

export interface Lockfile {
  text: string;
  filename: string;
  companions?: Companions;
  page?: Page;
}

export function readLockfile({ text, filename, companions = {}, page = WHOLE }: Lockfile): Reading {
  return reading(() => lockedPackages(text, filename, companions), page);
}

/** Of an SBOM as text or as a parsed document. */
export function readSbom({ document, page = WHOLE }: { document: string | Fields; page?: Page }): Reading {
  return reading(() => (typeof document === 'string' ? readSbomText(document) : readSbomObject(document)), page);
}

/** As the file lists them. Throws `DocumentFault`. */
export function lockedPackages(text: string, filename: string, companions: Companions): LockedPackage[] {
  const reader = readerOf(filename);
  if (reader === null) {
    const name = cleanText(filename).slice(0, 100);
    throw new DocumentFault(`"${name}" is the name of no lockfile that is known here: ${LOCKFILE_FORMATS.join(', ')}`);
  }
  refuseConflict(text);
  return reader[2](text, companions);
}

function readerOf(filename: string): (typeof READERS)[number] | null {
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1).toLowerCase();
  return READERS.find(([, pattern]) => pattern.test(name)) ?? null;
}

function refuseConflict(text: string): void {
  const at = text.search(/^<{7} /m);
  if (at === -1 || !/^>{7} /m.test(text)) return;
  const line = text.slice(0, at).split('\n').length;
  throw new DocumentFault(`line ${line} is the marker of a merge conflict (<<<<<<<): resolve the conflict first`);
}

function reading(read: () => LockedPackage[], page: Page): Reading {
  try {
    return { read: paged(read().map(refOf), page), fault: null };
  } catch (error) {
    if (error instanceof DocumentFault) return { read: null, fault: cleanText(error.message) };
    // Too deep for a parser that calls itself.
    if (error instanceof RangeError) return { read: null, fault: 'it is nested too deeply' };
    throw error;
  }
}

function paged(refs: readonly PackageRef[], { offset, limit }: Page): DocumentPackages {
  const all = [...new Map(refs.map((ref) => [packageIdentity(ref), ref])).values()];
  const end = offset + limit;
  return {
    packages: all.slice(offset, end),
    given: all.length,
    notReached: all.slice(end, end + MAX_LABELS).map(packageLabel),
    nextOffset: end < all.length ? end : null,
  };
}

function refOf({ name, version, ecosystem, line, purl }: LockedPackage): PackageRef {
  const [, , , , product, cpeVersion] = name.startsWith('cpe:2.3:') ? name.split(':') : [];
  const ref: PackageRef = {
    name: product ?? name,
    version: cpeVersion ?? version,
    ecosystem,
    ...(line === null ? {} : { line }),
  };
  const type = purl === undefined ? undefined : /^pkg:\/*([\w.+-]+)\//.exec(purl)?.[1];
  if (ecosystem !== null || type === undefined || type === 'generic') return ref;
  return { ...ref, problem: `packages of type ${type} cannot be checked here` };
}

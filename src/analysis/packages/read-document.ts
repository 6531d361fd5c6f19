import { mergeWays } from './dependency-scope.ts';
import { findDistribution } from './distributions.ts';
import { cleanText } from '../display-text.ts';
import { type CpeName, parseCpeLenient } from '../cve/cpe.ts';
import { readBunLock } from './lockfiles/bun.ts';
import { readDenoLock } from './lockfiles/deno.ts';
import { readGoMod } from './lockfiles/go-mod.ts';
import { DocumentError, type JsonObject, type LockedPackage, type ReportGap } from './lockfiles/locked-package.ts';
import { readPackageLock } from './lockfiles/npm.ts';
import { readCargoLock } from './lockfiles/cargo.ts';
import { readComposerLock } from './lockfiles/composer.ts';
import { readGemfileLock } from './lockfiles/gemfile.ts';
import { readGradleLock } from './lockfiles/gradle.ts';
import { readMixLock } from './lockfiles/mix.ts';
import { readNugetLock, readPackagesConfig } from './lockfiles/nuget.ts';
import { readPubspecLock } from './lockfiles/pubspec.ts';
import { readPnpmLock } from './lockfiles/pnpm.ts';
import { readPom } from './lockfiles/pom.ts';
import { readPdmLock, readPipfileLock, readPoetryLock, readPylock } from './lockfiles/python-lockfiles.ts';
import { readUvLock } from './lockfiles/uv.ts';
import { readRequirements } from './lockfiles/requirements.ts';
import { readYarnLock } from './lockfiles/yarn.ts';
import { readImageLists } from './image/read-image-lists.ts';
import { type PackageRef, packageIdentity, packageLabel } from './package-ref.ts';
import { readSbomObject, readSbomText } from './sbom/read-sbom.ts';

/** Files beside a lockfile that it may need, by their path relative to it: `go.sum`, `package.json`, `../pom.xml`. */
export type CompanionFiles = Readonly<Record<string, string>>;

type LockfileReader = (text: string, companions: CompanionFiles, note: ReportGap) => LockedPackage[];

/** By the name of the file; the text is a regular expression for the whole name. */
const LOCKFILE_READERS: readonly [format: string, name: RegExp, read: LockfileReader][] = [
  [
    'package-lock.json',
    /^(?:package-lock|npm-shrinkwrap)\.json$/,
    (text, companions) => readPackageLock(text, companions['package.json']),
  ],
  ['yarn.lock', /^yarn\.lock$/, (text, companions, note) => readYarnLock(text, (path) => companions[path], note)],
  ['pnpm-lock.yaml', /^pnpm-lock\.ya?ml$/, (text, _, note) => readPnpmLock(text, note)],
  ['bun.lock', /^bun\.lock$/, (text, _, note) => readBunLock(text, note)],
  ['deno.lock', /^deno\.lock$/, readDenoLock],
  [
    'requirements.txt',
    /^(?:[\w.-]{0,100}requirements[\w.-]{0,100}\.txt|requirements\/[\w.-]{1,100}\.txt)$/,
    (text, companions, note) => readRequirements(text, (path) => companions[path], note),
  ],
  ['poetry.lock', /^poetry\.lock$/, (text, companions) => readPoetryLock(text, companions['pyproject.toml'])],
  ['Pipfile.lock', /^pipfile\.lock$/, (text, _, note) => readPipfileLock(text, note)],
  ['uv.lock', /^uv\.lock$/, readUvLock],
  ['pdm.lock', /^pdm\.lock$/, (text, companions) => readPdmLock(text, companions['pyproject.toml'])],
  ['pylock.toml', /^pylock(?:\.[\w-]{1,100})?\.toml$/, readPylock],
  ['go.mod', /^go\.mod$/, (text, companions) => readGoMod(text, companions['go.sum'])],
  ['Cargo.lock', /^cargo\.lock$/, readCargoLock],
  ['Gemfile.lock', /^(?:gemfile|gems)\.(?:lock|locked)$/, readGemfileLock],
  ['composer.lock', /^composer\.lock$/, (text, companions) => readComposerLock(text, companions['composer.json'])],
  ['pom.xml', /^pom\.xml$/, (text, companions, note) => readPom(text, (path) => companions[path], note)],
  ['gradle.lockfile', /^gradle\.lockfile$/, (text) => readGradleLock(text, false)],
  ['gradle.lockfile', /^(?:buildscript|settings)-gradle\.lockfile$/, (text) => readGradleLock(text, true)],
  ['packages.lock.json', /^packages\.lock\.json$/, readNugetLock],
  ['packages.config', /^packages\.config$/, readPackagesConfig],
  ['pubspec.lock', /^pubspec\.lock$/, readPubspecLock],
  ['mix.lock', /^mix\.lock$/, readMixLock],
];

/** Lockfile formats that are recognised but not supported: their packages are unchecked, not free of flaws. */
const UNSUPPORTED_LOCKFILES: ReadonlySet<string> = new Set(
  (
    'bun.lockb package.resolved podfile.lock cartfile.resolved conan.lock rebar.lock gopkg.lock glide.lock cabal.project.freeze ' +
    'stack.yaml.lock renv.lock packrat.lock cpanfile.snapshot paket.lock project.assets.json manifest.toml julia.lock ' +
    'conda-lock.yml pixi.lock flake.lock shard.lock gleam.toml.lock vcpkg-lock.json verification-metadata.xml rush-lock.yaml ' +
    'module.bazel.lock .terraform.lock.hcl chart.lock berksfile.lock opam.locked luarocks.lock spago.lock dub.selections.json'
  ).split(' '),
);

/** The lockfiles and manifests that can be read. */
export const LOCKFILE_FORMATS: readonly string[] = [...new Set(LOCKFILE_READERS.map(([format]) => format))];

/** A part of a document's packages: at most `limit`, from `offset` on. */
export interface PageRequest {
  offset: number;
  limit: number;
}

/** What was read of a document: plain data, as it comes from a thread. */
export interface DocumentPackages {
  /** Each once, in the order of the document. */
  packages: PackageRef[];
  /** Different packages in the whole document. */
  totalCount: number;
  /** Labels of the first of those that come after. */
  remainingLabels: string[];
  nextOffset: number | null;
  /** What was not understood in the document, as sentences. */
  gaps: string[];
}

/** What was read, or what is wrong with the document. */
export type DocumentResult = { read: DocumentPackages; error: null } | { read: null; error: string };

const MAX_LABELS = 1000;
const MAX_GAPS = 20;
const WHOLE_DOCUMENT: PageRequest = { offset: 0, limit: Number.POSITIVE_INFINITY };

/** The format of a lockfile by its name or path, in any case; null if the format is not supported. */
export function lockfileFormat(filename: string): string | null {
  return findReader(filename)?.[0] ?? null;
}

/** Whether the name is that of a lockfile that is known here and cannot be read. */
export function isUnsupportedLockfile(path: string): boolean {
  return UNSUPPORTED_LOCKFILES.has(fileNameParts(path).name);
}

export interface LockfileInput {
  text: string;
  filename: string;
  companions?: CompanionFiles;
  page?: PageRequest;
}

export function readLockfile({
  text,
  filename,
  companions = {},
  page = WHOLE_DOCUMENT,
}: LockfileInput): DocumentResult {
  return readWithGaps((note) => lockedPackages(text, filename, companions, note), page);
}

/** Of an SBOM as text or as a parsed document. */
export function readSbom({
  document,
  page = WHOLE_DOCUMENT,
}: {
  document: string | JsonObject;
  page?: PageRequest;
}): DocumentResult {
  return readWithGaps(() => (typeof document === 'string' ? readSbomText(document) : readSbomObject(document)), page);
}

/** Of container images, by the files of each that list its packages. `gaps`: what was not read of them before. */
export function readImages(
  images: readonly ReadonlyMap<string, Uint8Array | null>[],
  gaps: readonly string[],
): DocumentResult {
  return readWithGaps((note) => {
    for (const gap of gaps) note(gap);
    return images.flatMap((files) => readImageLists(files, note));
  }, WHOLE_DOCUMENT);
}

/** As the file lists them; `note` is called with what was not understood. Throws `DocumentError`. */
export function lockedPackages(
  text: string,
  filename: string,
  companions: CompanionFiles,
  note: ReportGap = () => {},
): LockedPackage[] {
  const reader = findReader(filename);
  if (reader === null) {
    const name = cleanText(filename).slice(0, 100);
    throw new DocumentError(`"${name}" is the name of no lockfile that is known here: ${LOCKFILE_FORMATS.join(', ')}`);
  }
  assertNoMergeConflict(text);
  return reader[2](text, companions, note);
}

function findReader(filename: string): (typeof LOCKFILE_READERS)[number] | null {
  const { name, withFolder } = fileNameParts(filename);
  return LOCKFILE_READERS.find(([, pattern]) => pattern.test(name) || pattern.test(withFolder)) ?? null;
}

/** The name of a file, and the name with the folder that it is in, in lower case. */
function fileNameParts(path: string): { name: string; withFolder: string } {
  const parts = path.toLowerCase().split(/[/\\]/);
  return { name: parts.at(-1)!, withFolder: parts.slice(-2).join('/') };
}

function assertNoMergeConflict(text: string): void {
  const at = text.search(/^<{7} /m);
  if (at === -1 || !/^>{7} /m.test(text)) return;
  const line = text.slice(0, at).split('\n').length;
  throw new DocumentError(`line ${line} is the marker of a merge conflict (<<<<<<<): resolve the conflict first`);
}

function readWithGaps(read: (note: ReportGap) => LockedPackage[], page: PageRequest): DocumentResult {
  const gaps: string[] = [];
  const note = (gap: string): void => {
    if (gaps.length < MAX_GAPS) gaps.push(cleanText(gap));
    else if (gaps.length === MAX_GAPS) gaps.push('more of it was not understood');
  };
  try {
    return { read: { ...paginate(read(note).map(toPackageRef), page), gaps }, error: null };
  } catch (error) {
    if (error instanceof DocumentError) return { read: null, error: cleanText(error.message) };
    // Too deep for a parser that calls itself.
    if (error instanceof RangeError) return { read: null, error: 'it is nested too deeply' };
    throw error;
  }
}

function paginate(refs: readonly PackageRef[], { offset, limit }: PageRequest): Omit<DocumentPackages, 'gaps'> {
  const byIdentity = new Map<string, PackageRef>();
  for (const ref of refs) {
    const known = byIdentity.get(packageIdentity(ref));
    if (known === undefined) byIdentity.set(packageIdentity(ref), ref);
    else known.ways = mergeWays(known.ways ?? [], ref.ways ?? []);
  }
  const all = [...byIdentity.values()];
  const end = offset + limit;
  return {
    packages: all.slice(offset, end),
    totalCount: all.length,
    remainingLabels: all.slice(end, end + MAX_LABELS).map(packageLabel),
    nextOffset: end < all.length ? end : null,
  };
}

const RANGE_PROBLEM = 'the file gives a range: which version is installed is not known';

function toPackageRef({
  name,
  version,
  range,
  problem,
  ecosystem,
  line,
  purl,
  cpe,
  ways,
  broughtBy,
  releasedWith,
}: LockedPackage): PackageRef {
  const ref: PackageRef = {
    name,
    version: range ?? version,
    ecosystem,
    ...(line === null ? {} : { line }),
    ...(ways.length === 0 ? {} : { ways }),
    ...(broughtBy === undefined ? {} : { broughtBy }),
    ...(releasedWith === undefined ? {} : { releasedWith }),
  };
  const why = problem ?? (range === undefined ? undefined : RANGE_PROBLEM);
  if (why !== undefined) return { ...ref, problem: why };
  if (ecosystem !== null) return cpe !== undefined && findDistribution(ecosystem) !== null ? { ...ref, cpe } : ref;
  const product = cpe === undefined ? null : parseCpeLenient(cpe);
  if (product !== null) return withCpeName(ref, product, cpe!);
  const type = purl === undefined ? undefined : /^pkg:\/*([\w.+-]+)\//.exec(purl)?.[1];
  if (type === undefined) return ref;
  if (type === 'generic') return { ...ref, isGeneric: true };
  return { ...ref, problem: `packages of type ${type} cannot be checked here` };
}

/** A component that its CPE names: the version of that name comes before the document's own, which may be that of a distribution. */
function withCpeName(ref: PackageRef, { product, version, update }: CpeName, cpe: string): PackageRef {
  const own =
    version === null || version === '-'
      ? ref.version
      : version + (update === null || update === '-' ? '' : `-${update}`);
  const isNamed = ref.name !== '' && ref.name !== cpe;
  return { ...ref, name: isNamed ? ref.name : product, version: own, cpe };
}

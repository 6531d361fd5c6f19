import { statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { isSbomName } from '../../analysis/packages/detect-document.ts';
import {
  type CompanionFiles,
  isUnsupportedLockfile,
  lockfileFormat,
  type DocumentResult,
  readLockfile,
  readSbom,
} from '../../analysis/packages/read-document.ts';
import { isImageName, readImageArchive } from './read-image.ts';
import { MAX_DOCUMENT_BYTES, readTextFile, type TextFileResult } from './text-file.ts';
import { type FoundFile, isRegularFileInside } from './list-files.ts';

const MAX_PARENTS = 5;
const MAX_COMPANIONS = 50;
const REQUIREMENTS_INCLUDE = /^\s*(?:-r\s*|--requirement(?:\s+|=))["']?([^\s"'#]{1,300})/gm;
const YARN_MEMBER = /@workspace:([\w./@-]{1,200})"?$/gm;
/** The file beside a lockfile that its reader can use. */
const COMPANION_FILES: Readonly<Record<string, string>> = {
  'go.mod': 'go.sum',
  'package-lock.json': 'package.json',
  'yarn.lock': 'package.json',
  'poetry.lock': 'pyproject.toml',
  'pdm.lock': 'pyproject.toml',
  'composer.lock': 'composer.json',
};
const POM_PARENT_PATH = /<relativePath>\s*([\w./-]{1,200})\s*<\/relativePath>/g;

/**
 * The format of a lockfile or SBOM by its file name, also of formats that are not supported; null for other files. Of archives only the one that
 * was given by itself is an image: in a folder most are something else.
 */
export function documentFormat({ path, isGiven }: Pick<FoundFile, 'path' | 'isGiven'>): string | null {
  if (isUnsupportedLockfile(path)) return posix.basename(path);
  if (isGiven === true && isImageName(path)) return IMAGE;
  return lockfileFormat(path) ?? (isSbomName(path) ? 'SBOM' : null);
}

/** The format of an archive of images. */
export const IMAGE = 'container image';

/** Reads a lockfile or SBOM, and the files that it refers to if they are inside the folder `root`, or an image. */
export async function readDocument(file: FoundFile, root: string): Promise<DocumentResult> {
  return documentFormat(file) === IMAGE ? readImageArchive(file) : readTextDocument(file, root);
}

function readTextDocument(file: FoundFile, root: string): DocumentResult {
  if (isUnsupportedLockfile(file.path)) return { read: null, error: 'lockfiles of this format cannot be read here' };
  const content = readTextFile(file, MAX_DOCUMENT_BYTES);
  if (content.kind !== 'text')
    return { read: null, error: content.kind === 'unread' ? content.reason : 'it is no text' };
  const { text } = content;
  if (lockfileFormat(file.path) === null) return readSbom({ document: text });
  return readLockfile({ text, filename: file.path, companions: readCompanionFiles(file, text, root) });
}

function readCompanionFiles(file: FoundFile, text: string, root: string): CompanionFiles {
  const format = lockfileFormat(file.path);
  const folder = dirname(file.absolutePath);
  const companions = new Map<string, string>();
  const paths = new Set<string>();
  if (format !== null && Object.hasOwn(COMPANION_FILES, format)) paths.add(COMPANION_FILES[format]!);
  if (format === 'yarn.lock')
    for (const path of matchedPaths(YARN_MEMBER, text, '.')) paths.add(posix.join(path, 'package.json'));
  if (format === 'pom.xml') {
    for (let up = 1; up <= MAX_PARENTS; up++) paths.add(`${'../'.repeat(up)}pom.xml`);
    for (const path of matchedPaths(POM_PARENT_PATH, text, '.'))
      paths.add(path.endsWith('.xml') ? path : `${path}/pom.xml`);
  }
  if (format === 'requirements.txt') for (const path of matchedPaths(REQUIREMENTS_INCLUDE, text, '.')) paths.add(path);
  // The loop also visits paths that are added while it runs.
  for (const path of paths) {
    if (companions.size >= MAX_COMPANIONS) break;
    const absolute = join(folder, path);
    if (!isRegularFileInside(root, absolute)) continue;
    // A requirements file by its own name is checked by itself.
    const isDocument = format === 'requirements.txt' && lockfileFormat(absolute) === format;
    const content: TextFileResult = isDocument
      ? { kind: 'text', text: '' }
      : readTextFile({ path, absolutePath: absolute, bytes: statSync(absolute).size }, MAX_DOCUMENT_BYTES);
    if (content.kind !== 'text') continue;
    companions.set(path, content.text);
    if (format === 'requirements.txt')
      for (const included of matchedPaths(REQUIREMENTS_INCLUDE, content.text, posix.dirname(path))) paths.add(included);
  }
  return Object.fromEntries(companions);
}

/** Paths that the text refers to, relative to the first document. */
function matchedPaths(pattern: RegExp, text: string, folder: string): string[] {
  return [...text.matchAll(pattern)].map(([, path]) =>
    posix.normalize(posix.join(folder, path!.replaceAll('\\', '/'))),
  );
}

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
import { readTextFile, type TextFileResult } from './text-file.ts';
import { type FoundFile, isRegularFileInside } from './list-files.ts';

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const MAX_PARENTS = 5;
const MAX_COMPANIONS = 50;
const REQUIREMENTS_INCLUDE = /^\s*(?:-r\s*|--requirement(?:\s+|=))["']?([^\s"'#]{1,300})/gm;
const POM_PARENT_PATH = /<relativePath>\s*([\w./-]{1,200})\s*<\/relativePath>/g;

/** The format of a lockfile or SBOM by its file name, also of formats that are not supported; null for other files. */
export function documentFormat(path: string): string | null {
  if (isUnsupportedLockfile(path)) return posix.basename(path);
  return lockfileFormat(path) ?? (isSbomName(path) ? 'SBOM' : null);
}

/** Reads a lockfile or SBOM, and the files that it refers to if they are inside the folder `root`. */
export function readDocument(file: FoundFile, root: string): DocumentResult {
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
  if (format === 'go.mod') paths.add('go.sum');
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

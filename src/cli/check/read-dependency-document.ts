import { statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import {
  type CompanionFiles,
  isUnsupportedLockfile,
  lockfileFormat,
  type DocumentResult,
  readLockfile,
  readSbom,
} from '../../analysis/packages/read-document.ts';
import { readTextFile } from './text-file.ts';
import { type FoundFile, isRegularFileInside } from './list-files.ts';

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const MAX_PARENTS = 5;
const MAX_COMPANIONS = 50;
const SBOM_NAME = /(?:^|\.)(?:cdx|s?bom)\.(?:json|xml)$|\.spdx(?:\.(?:json|ya?ml|rdf))?$/i;
const REQUIREMENTS_INCLUDE = /^\s*(?:-r\s*|--requirement(?:\s+|=))["']?([^\s"'#]{1,300})/gm;
const POM_PARENT_PATH = /<relativePath>\s*([\w./-]{1,200})\s*<\/relativePath>/g;

/** The format of a lockfile or SBOM by its name, also of one that cannot be read; null for any other file. */
export function documentFormat(path: string): string | null {
  if (isUnsupportedLockfile(path)) return posix.basename(path);
  return lockfileFormat(path) ?? (SBOM_NAME.test(path) ? 'SBOM' : null);
}

/** Reads a lockfile or SBOM, with what it needs beside it as far as that lies in the folder `root`. */
export function readDocument(file: FoundFile, root: string): DocumentResult {
  if (isUnsupportedLockfile(file.path)) return { read: null, fault: 'lockfiles of this format cannot be read here' };
  const { text, reason } = readTextFile(file, MAX_DOCUMENT_BYTES);
  if (text === null) return { read: null, fault: reason ?? 'it is no text' };
  if (lockfileFormat(file.path) === null) return readSbom({ document: text });
  return readLockfile({ text, filename: file.path, companions: readCompanionFiles(file, text, root) });
}

function readCompanionFiles(file: FoundFile, text: string, root: string): CompanionFiles {
  const format = lockfileFormat(file.path);
  const folder = dirname(file.absolutePath);
  const found = new Map<string, string>();
  const paths = new Set<string>();
  if (format === 'go.mod') paths.add('go.sum');
  if (format === 'pom.xml') {
    for (let up = 1; up <= MAX_PARENTS; up++) paths.add(`${'../'.repeat(up)}pom.xml`);
    for (const path of matchedPaths(POM_PARENT_PATH, text, '.'))
      paths.add(path.endsWith('.xml') ? path : `${path}/pom.xml`);
  }
  if (format === 'requirements.txt') for (const path of matchedPaths(REQUIREMENTS_INCLUDE, text, '.')) paths.add(path);
  // A set that grows while it is walked is walked to its new end.
  for (const path of paths) {
    if (found.size >= MAX_COMPANIONS) break;
    const absolute = join(folder, path);
    if (!isRegularFileInside(root, absolute)) continue;
    // What is a document by its own name is checked by itself.
    const isDocument = format === 'requirements.txt' && lockfileFormat(absolute) === format;
    const beside = isDocument
      ? ''
      : readTextFile({ path, absolutePath: absolute, bytes: statSync(absolute).size }, MAX_DOCUMENT_BYTES).text;
    if (beside === null) continue;
    found.set(path, beside);
    if (format === 'requirements.txt')
      for (const next of matchedPaths(REQUIREMENTS_INCLUDE, beside, posix.dirname(path))) paths.add(next);
  }
  return Object.fromEntries(found);
}

/** Paths that a text names, relative to the first document. */
function matchedPaths(pattern: RegExp, text: string, folder: string): string[] {
  return [...text.matchAll(pattern)].map(([, path]) =>
    posix.normalize(posix.join(folder, path!.replaceAll('\\', '/'))),
  );
}

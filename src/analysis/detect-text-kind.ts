import { isHeaderText } from './headers/parse-header-text.ts';
import { detectLanguage, LANGUAGES, languageNamed } from './injection/languages.ts';
import {
  detectLockfile,
  isSbomName,
  isSbomText,
  lockfileInsteadOf,
  lockfileInsteadOfText,
  parsePackageList,
} from './packages/detect-document.ts';
import { isUnsupportedLockfile, LOCKFILE_FORMATS } from './packages/read-document.ts';

/** What a text is, as far as checks differ. */
export type TextKind =
  | { readonly kind: 'lockfile'; readonly format: string }
  | { readonly kind: 'sbom' }
  | { readonly kind: 'packages'; readonly packages: readonly string[] }
  | { readonly kind: 'headers' }
  /** `language` null: none that is parsed. */
  | { readonly kind: 'code'; readonly language: string | null }
  /** Only searched for secrets. */
  | { readonly kind: 'text' }
  /** It cannot be checked; `why` says what would be right. */
  | { readonly kind: 'unsupported'; readonly why: string };

const NO_TEXT = 'It is not text. Give the text of a file.';

/** What a text is, by the name of its file and by what it has. */
export function detectTextKind(text: string, filename = ''): TextKind {
  if (isUnsupportedLockfile(filename)) {
    const instead = lockfileInsteadOf(filename) ?? 'an SBOM (CycloneDX or SPDX) of the project';
    return { kind: 'unsupported', why: `Lockfiles of this format cannot be read here. Give ${instead}.` };
  }
  if (text.includes('\0')) return { kind: 'unsupported', why: NO_TEXT };
  const instead = lockfileInsteadOf(filename);
  if (instead !== null) return manifest(instead);
  if (isSbomName(filename) || isSbomText(text)) return { kind: 'sbom' };
  const format = detectLockfile(text, filename);
  if (format !== null) return { kind: 'lockfile', format };
  const insteadOfText = filename === '' ? lockfileInsteadOfText(text) : null;
  if (insteadOfText !== null) return manifest(insteadOfText);
  const packages = parsePackageList(text);
  if (packages !== null) return { kind: 'packages', packages };
  if (isHeaderText(text)) return { kind: 'headers' };
  const language = languageNamed(/\.(\w+)$/.exec(filename)?.[1] ?? '') ?? detectLanguage(text);
  return { kind: 'code', language: language?.name ?? null };
}

function manifest(instead: string): TextKind {
  return { kind: 'unsupported', why: `It does not say which versions are installed. Give ${instead}.` };
}

/**
 * The kind that a person chose by a word: a lockfile format, a language, `sbom`, `headers`, `packages` or `text`; null for another
 * word.
 */
export function textKindNamed(word: string, text: string): TextKind | null {
  if (LOCKFILE_FORMATS.includes(word)) return { kind: 'lockfile', format: word };
  if (LANGUAGES.some(({ name }) => name === word)) return { kind: 'code', language: word };
  switch (word) {
    case 'sbom':
    case 'headers':
    case 'text':
      return { kind: word };
    case 'packages':
      return { kind: 'packages', packages: text.split(/\s+/).filter((line) => line !== '') };
    default:
      return null;
  }
}

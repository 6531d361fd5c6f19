import { detectTextKind } from '../../analysis/detect-text-kind.ts';
import { isSbomName } from '../../analysis/packages/detect-document.ts';
import { lockfileFormat } from '../../analysis/packages/read-document.ts';
import { recognizeLines, type RecognizedText, recognizeText, type TextKind } from '../../analysis/recognize-text.ts';
import { readProductWords, splitProductVersion } from '../../analysis/product-words.ts';
import { FUNCTION_WORDS } from './function-words.ts';

/** Tools that a pasted text is for, whatever its words say, and what is already known of their input. */
export interface DocumentTool {
  tool: string;
  input?: Record<string, unknown>;
}

export interface RecognizedQuery {
  /** The text without identifiers: what they are called says nothing of what is asked about them. */
  words: string;
  /** Identifiers in it, each once; those of one kind together, the kind with most first. */
  identifiers: readonly RecognizedText[];
  documents: readonly DocumentTool[];
  /** A name before a version, in a sentence. */
  product: { product: string; version: string } | null;
}

/** Longer texts are recognised by their beginning. */
const MAX_QUERY_LENGTH = 4000;
const MAX_IDENTIFIERS = 50;
/** Lines, and words of a line, in which identifiers are looked for. */
const MAX_LINES = 200;
const MAX_WORDS = 200;
const WORD_MARKS = /^[("'<[{]+|[)"'>\]},;:!?.]+$/g;
/** Endings of files that are no top-level domain, and of those that are one, too: these are files in sentences alone. */
const FILE_NAME =
  /\.(?:c|cfg|conf|config|cpp|css|csv|dll|doc|docx|env|exe|go|gz|h|htm|html|ini|jar|java|js|json|jsx|key|lock|log|mod|pdf|pem|php|png|ps1|rb|rpm|sql|sum|svg|tar|tf|tgz|toml|ts|tsx|txt|war|whl|xls|xlsx|xml|yaml|yml)$/i;
const FILE_NAME_OR_DOMAIN = /\.(?:cc|md|pl|py|rs|sh|so|zip)$/i;
/** A version of at least three parts: those of two may be of a protocol. Four are an address. */
const PRODUCT_VERSION =
  /(?:^|\s)([a-z][\w.+-]{1,60})\s+v?(\d{1,6}(?:\.\d{1,6}){2}(?:[-+.]?[a-z]\w{0,20})?)(?![\w.]*\d)/i;

/** What was pasted: identifiers, also within a sentence, a document, packages, a product with its version. */
export function recognizeQuery(query: string): RecognizedQuery {
  const text = query.trim().slice(0, MAX_QUERY_LENGTH);
  const documents = findDocuments(text);
  if (documents.length > 0) return { words: text, identifiers: [], documents, product: null };
  return { ...splitIdentifiers(text), documents, product: findProduct(text) };
}

function splitIdentifiers(text: string): Pick<RecognizedQuery, 'words' | 'identifiers'> {
  const words: string[] = [];
  const found: RecognizedText[] = [];
  for (const line of recognizeLines(text.split('\n', MAX_LINES).join('\n'))) {
    if (line.kind !== 'words' && !isFileName(line)) found.push(line);
    else {
      for (const word of line.value.split(/\s+/, MAX_WORDS)) {
        const identifier = identifierIn(word);
        if (identifier === null) words.push(word);
        else found.push(identifier);
      }
    }
  }
  const unique = [...new Map(found.map((one) => [`${one.kind} ${one.value.toLowerCase()}`, one])).values()];
  const counts = new Map<TextKind, number>();
  for (const { kind } of unique) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const byKind = unique.slice(0, MAX_IDENTIFIERS).toSorted((a, b) => counts.get(b.kind)! - counts.get(a.kind)!);
  return { words: words.join(' '), identifiers: byKind };
}

function findProduct(text: string): RecognizedQuery['product'] {
  const [, product, version] = PRODUCT_VERSION.exec(text) ?? [];
  return product === undefined ? null : { product, version: version! };
}

/** One word of a sentence: what has the form of a domain may be the name of a file. */
function identifierIn(word: string): RecognizedText | null {
  const recognized = recognizeText(word.replace(WORD_MARKS, ''));
  const isFile = isFileName(recognized) || (recognized.kind === 'domain' && FILE_NAME_OR_DOMAIN.test(recognized.value));
  return recognized.kind === 'words' || isFile ? null : recognized;
}

function isFileName({ kind, value }: RecognizedText): boolean {
  return kind === 'domain' && FILE_NAME.test(value);
}

function findDocuments(text: string): DocumentTool[] {
  if (text.split(/\s+/).some((word) => isDocumentName(word.replace(WORD_MARKS, ''))))
    return [{ tool: 'check_dependencies' }];
  const isOneThing = !text.includes('\n') && recognizeText(text).kind === 'words';
  const product = isOneThing ? splitProductVersion(text) : null;
  if (product !== null && isProductName(product.name) && recognizeText(product.version).kind === 'words') {
    const { cveIds } = readProductWords(text);
    const about = cveIds.length === 0 ? {} : { cve_ids: [...cveIds] };
    return [{ tool: 'affected_check', input: { product: product.name, version: product.version, ...about } }];
  }
  const detected = detectTextKind(text);
  switch (detected.kind) {
    case 'lockfile':
    case 'sbom':
      return [{ tool: 'check_dependencies' }];
    case 'packages':
      return [{ tool: 'check_dependencies', input: { packages: detected.packages } }];
    case 'headers':
      return [{ tool: 'check_headers' }];
    case 'code':
      return detected.language === null ? [] : [{ tool: 'check_injection' }, { tool: 'check_secrets' }];
    default:
      return [];
  }
}

/** At most three words, none of a sentence. */
function isProductName(name: string): boolean {
  const words = name.toLowerCase().split(/\s+/);
  return words.length <= 3 && !words.some((word) => FUNCTION_WORDS.has(word));
}

function isDocumentName(word: string): boolean {
  return lockfileFormat(word) !== null || isSbomName(word);
}

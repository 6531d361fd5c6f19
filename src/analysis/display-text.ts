/**
 * Text from third parties, made safe to show in a terminal, a page or a model's context.
 * Invisible characters can hide or reorder words (Unicode TR36, "Trojan Source"), therefore they are removed.
 */

const LINE_END = /\r\n?|[\u2028\u2029\u0085]/g;
/** Controls, lone surrogates, and what Unicode calls default-ignorable: zero-width, bidi, tag characters, variation selectors. */
const INVISIBLE_CHARACTERS =
  /[[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB\u2028\u2029]--[\n\t]]/gv;

/** Nothing in it is invisible; most texts of feeds are so, and this takes a tenth of the time. */
const PLAIN_ASCII = /^[\t\n\x20-\x7e]*$/;

/** Removes control characters (except `\n` and `\t`), bidirectional and invisible characters; all line ends become `\n`. */
export function cleanText(text: string): string {
  return PLAIN_ASCII.test(text) || text.search(INVISIBLE_CHARACTERS) === -1
    ? text
    : text.replace(LINE_END, '\n').replace(INVISIBLE_CHARACTERS, '');
}

/** At most `limit` UTF-16 units; a longer text is cut after a word and ends with `...`. */
export function truncateAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 3);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}...`;
}

/** The cleaned text on one line, trimmed. */
export function toOneLine(text: string): string {
  return onOneLine(cleanText(text));
}

function onOneLine(text: string): string {
  return (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
}

/** Before cleaning, which removes characters, a text is cut at this many times `limit`. */
const CLEANING_MARGIN_FACTOR = 4;

/** Third-party text made safe to display: cleaned and truncated to `limit` UTF-16 units. */
export function displayText(text: string, limit: number): string {
  return truncateAtWord(cleanText(text.slice(0, CLEANING_MARGIN_FACTOR * limit)), limit);
}

/** `displayText` on one line. */
export function displayLine(text: string, limit: number): string {
  return truncateAtWord(toOneLine(text.slice(0, CLEANING_MARGIN_FACTOR * limit)), limit);
}

/** `displayLine`; null: nothing is left of the text. */
export function displayLineOrNull(text: string | null | undefined, limit = 200): string | null {
  return displayLine(text ?? '', limit) || null;
}

/** The first `maxItems` texts as lines, without duplicates and empty lines. */
export function displayLines(texts: readonly string[] | null | undefined, maxItems: number, limit = 200): string[] {
  const lines = (texts ?? []).slice(0, maxItems).map((text) => displayLineOrNull(text, limit));
  return [...new Set(lines.filter((line) => line !== null))];
}

/** `a, b and 3 more`: the first items as lines of at most `limit` UTF-16 units. */
export function summarizeList(items: readonly string[], maxItems = 5, limit = 80): string {
  const shown = items.slice(0, maxItems).map((item) => displayLine(item, limit));
  const hidden = items.length - shown.length;
  return `${shown.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

/** What every construct that `markdownToLine` knows begins with, in a line or at its start. */
const MARKDOWN_START = /[[*`]|^ {0,3}[#~\-=_>+]/m;

/**
 * Markdown of advisories (CommonMark) as plain text on one line: without headings and fences, links as their text, emphasis and
 * code without markup. Underscores are kept because names in code contain them.
 */
export function markdownToLine(markdown: string): string {
  return onOneLine(MARKDOWN_START.test(markdown) ? withoutMarkdown(markdown) : markdown);
}

function withoutMarkdown(markdown: string): string {
  return markdown
    .replace(/^ {0,3}(?:#{1,6}(?:\s.*)?|```.*|~~~.*|[-=*_]{3,}\s*)$/gm, '')
    .replace(/^ {0,3}(?:>\s?|[-*+]\s+)/gm, '')
    .replace(/!?\[([^\][]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/(\*\*?)(?=\S)([^*\n]{1,300})(?<=\S)\1/g, '$2')
    .replace(/`+([^`\n]{1,300})`+/g, '$1');
}

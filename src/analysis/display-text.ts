/**
 * Text from third parties, made safe to show: in a terminal, a page, a model's context.
 * What has no shape on the screen can hide words or reorder them (Unicode TR36, "Trojan Source"), so it goes.
 */

const LINE_END = /\r\n?|[\u2028\u2029\u0085]/g;
/** Controls, lone surrogates, and what Unicode calls default-ignorable: zero-width, bidi, tag characters, variation selectors. */
const INVISIBLE_CHARACTERS =
  /[[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB\u2028\u2029]--[\n\t]]/gv;

/** The text without control (but `\n` and `\t`), bidirectional and invisible characters; all line ends become `\n`. */
export function cleanText(text: string): string {
  return text.search(INVISIBLE_CHARACTERS) === -1
    ? text
    : text.replace(LINE_END, '\n').replace(INVISIBLE_CHARACTERS, '');
}

/** At most `limit` UTF-16 units, cut at a word and marked. */
export function truncateAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 3);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}...`;
}

/** Cleaned, on one line, without white space around it. */
export function toOneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** Of a long text so many times what is shown is looked at: some of it may have no shape. */
const CLEANING_MARGIN_FACTOR = 4;

/** A third party's text, fit to be shown: cleaned, and at most `limit` UTF-16 units, however much there is of it. */
export function displayText(text: string, limit: number): string {
  return truncateAtWord(cleanText(text.slice(0, CLEANING_MARGIN_FACTOR * limit)), limit);
}

/** The same on one line, without blanks around it. */
export function displayLine(text: string, limit: number): string {
  return truncateAtWord(toOneLine(text.slice(0, CLEANING_MARGIN_FACTOR * limit)), limit);
}

/**
 * Markdown as advisories have it (CommonMark), as plain text on one line: headings and fences left out, of links their text, of
 * emphasis and code what stands between the marks. Underscores stay: names of code have them.
 */
export function markdownToLine(markdown: string): string {
  return markdown
    .replace(/^ {0,3}(?:#{1,6}(?:\s.*)?|```.*|~~~.*|[-=*_]{3,}\s*)$/gm, '')
    .replace(/^ {0,3}(?:>\s?|[-*+]\s+)/gm, '')
    .replace(/!?\[([^\][]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/(\*\*?)(?=\S)([^*\n]{1,300})(?<=\S)\1/g, '$2')
    .replace(/`+([^`\n]{1,300})`+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

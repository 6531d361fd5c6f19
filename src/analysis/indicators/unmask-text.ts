/**
 * Stands for a dot that was defanged in the text: who writes `evil[.]com` means an indicator, who writes `readme.md` may not. It is a
 * character of the private use area, so that texts have none of their own (they are taken out first).
 */
export const DEFANGED_DOT = '\uE000';

const OPEN = String.raw`[[({]\s?`;
const CLOSE = String.raw`\s?[\])}]`;
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060\uFEFF\uE000]/g;

/** Replacements in the order in which they are made; each is linear in the text. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [INVISIBLE, ''],
  [/[\u00A0\u2007\u202F]/g, ' '],
  [/[\u3002\uFF0E\uFF61]/g, DEFANGED_DOT],
  [/(?<=CVE)[\u2010-\u2015](\d{4})[\u2010-\u2015-](?=\d)/gi, '-$1-'],
  [/\bh(?:xx|\*\*|tt)p(s?)(?=\[?:|\[)/gi, 'http$1'],
  [/\bfxp(?=\[?:|\[)/gi, 'ftp'],
  [/\[:\/\/\]/g, '://'],
  [/\[(::?|\/)\]/g, '$1'],
  [new RegExp(`\\s?${OPEN}(?:\\.|dot)${CLOSE}\\s?(?=[\\p{L}\\p{N}])`, 'giu'), DEFANGED_DOT],
  [/(?<=[\p{L}\p{N}])\[\.(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])\.\](?=[\p{L}\p{N}])/gu, DEFANGED_DOT],
  [/(?<=[\p{L}\p{N}])\\\.(?=[\p{L}\p{N}])/gu, DEFANGED_DOT],
  [new RegExp(`\\s?${OPEN}(?:@|at)${CLOSE}\\s?(?=[\\p{L}\\p{N}])`, 'giu'), '@'],
  [/(?<=[\w-]) DOT (?=[\w-]{1,63}\b)/g, DEFANGED_DOT],
  [new RegExp(`(?<=[\\w.+-]) AT (?=[\\w-]{1,63}${DEFANGED_DOT})`, 'g'), '@'],
  [/\b(\d{1,3}) \. (\d{1,3}) \. (\d{1,3}) \. (\d{1,3})\b/g, [1, 2, 3, 4].map((at) => `$${at}`).join(DEFANGED_DOT)],
  [/&amp;/g, '&'],
];

/** A text with its indicators made whole: `hxxps[:]//evil[.]example`, `evil(dot)example`, dots of other scripts, invisible characters. */
export function unmaskText(text: string): string {
  return REPLACEMENTS.reduce((whole, [pattern, by]) => whole.replace(pattern, by), text);
}

/** The text with plain dots. */
export function plainDots(text: string): string {
  return text.replaceAll(DEFANGED_DOT, '.');
}

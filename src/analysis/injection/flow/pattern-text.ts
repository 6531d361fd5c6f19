/** A pattern between delimiters, with its flags: `/a+/i`, in PHP also `~a+~` and `{a+}`, in Ruby `%r{a+}`. */
const DELIMITED = /^(?:(?:%r)?\{(.*)\}|([/#~@|!%,])(.*)\2)([A-Za-z]*)$/s;
/** A class of POSIX or Unicode by its name: `[:alnum:]`, `\p{L}`, `\p{IsDigit}`. */
const NAMED_CLASS = /\[:(\^?)(\w+):\]|\\+([pP])\{(\^?)(?:Is|java)?(\w+)\}/g;
const WORD_CLASS =
  /^(?:word|alnum|alpha|lower|upper|l|l[ultmo]|n|nd|letter|digit|decimal_number|xdigit|letterordigit|lowercase|uppercase|alphabetic)$/i;

/** A pattern without what is around it and with its named classes as letters of a class: what its tests look at. */
export function patternParts(text: string): { readonly body: string; readonly flags: string } {
  const bare = text.replace(/^r?['"]|['"]$/g, '');
  const found = DELIMITED.exec(bare);
  return { body: plainClasses(found?.[1] ?? found?.[3] ?? bare), flags: found?.[4] ?? '' };
}

/** `\w` stands for letters and digits, `\W` for all others, `\s` for spaces, `\S` for classes that hold other characters. */
function plainClasses(pattern: string): string {
  return pattern.replaceAll(
    NAMED_CLASS,
    (_, not: string, posix: string, letter: string, caret: string, unicode: string) => {
      const name = posix ?? unicode;
      const isNegated = Boolean(not) || Boolean(caret) !== (letter === 'P');
      if (/^(?:space|blank)$/i.test(name)) return isNegated ? '\\S' : '\\s';
      if (!WORD_CLASS.test(name)) return '\\S';
      return isNegated ? '\\W' : '\\w';
    },
  );
}

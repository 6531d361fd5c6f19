/** The pattern of the locations that a path of foreign text (JSONPath) leads to, and of all below: `$.rows[3].title`. */
export function patternOfPath(path: string): RegExp {
  const source = path
    .replace(/[$.[\]*]/g, (character) => `\\${character}`)
    .replaceAll('\\[\\*\\]', '\\[\\d+\\]')
    .replaceAll('\\.\\*', '\\.[^]*?');
  return new RegExp(`^${source}(?:[.[][^]*)?$`);
}

/** What is wrong with the marks in the text of an answer where every hostile text has the word `secret`; empty: nothing. */
export function brokenMarks(marked: unknown, secret: string): string[] {
  const wrong: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value === 'string') {
      const isWhole = /^«[^«»]*»$/.test(value);
      if (/[«»]/.test(value) && !isWhole) wrong.push(`${at}: ${value.slice(0, 120)}`);
      const isShortWord = /^\S{0,24}$/.test(value);
      if (value.includes(secret) && !isWhole && !isShortWord) wrong.push(`${at} is not marked: ${value.slice(0, 120)}`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        if (!Array.isArray(value)) visit(name, `${at}.{name}`);
        visit(part, `${at}.${name}`);
      }
    }
  };
  visit(marked, '$');
  return wrong;
}

import { Parser } from 'htmlparser2';

/** The text of a page as a reader sees it, in one line. */
export function textOf(page: string): string {
  const parts: string[] = [];
  let hidden = 0;
  const parser = new Parser({
    onopentag: (name) => (hidden += Number(name === 'script' || name === 'style')),
    onclosetag: (name) => (hidden -= Number(name === 'script' || name === 'style')),
    ontext: (text) => hidden === 0 && parts.push(text),
  });
  parser.end(page);
  return parts.join(' ').replace(/\s+/g, ' ').trim();
}

/** Where the links of a page lead. */
export function linksOf(page: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
    onopentag: (name, { href }) => name === 'a' && href !== undefined && links.push(href),
  });
  parser.end(page);
  return links;
}

import { cleanText } from '../../analysis/display-text.ts';
import type { XmlElement } from '../../analysis/xml.ts';

const BLOCKS: ReadonlySet<string> = new Set(['p', 'div', 'ul', 'ol', 'li', 'br', 'pre', 'table', 'tr']);
const LISTS: ReadonlySet<string> = new Set(['ul', 'ol']);

/** An element's XHTML as plain text: a line for a paragraph, `- ` before an item of a list, deeper lists indented. */
export function xmlToPlainText(element: XmlElement): string {
  const lines: string[] = [];
  let line = '';
  const endLine = () => {
    const text = line.replace(/\s+$/, '');
    if (text.trim() !== '' && text.trim() !== '-') lines.push(text);
    line = '';
  };
  const write = (node: XmlElement, listDepth: number) => {
    for (const child of node.children) {
      if (typeof child === 'string') {
        const text = child.replace(/\s+/g, ' ');
        line += line === '' || line.endsWith(' ') ? text.trimStart() : text;
        continue;
      }
      const isBlock = BLOCKS.has(child.name);
      // A paragraph that opens an item stays on the item's line.
      if (isBlock && line.trim() !== '-') endLine();
      if (child.name === 'li') line = `${'  '.repeat(Math.max(0, listDepth - 1))}- `;
      write(child, listDepth + (LISTS.has(child.name) ? 1 : 0));
      if (isBlock) endLine();
    }
  };
  write(element, 0);
  endLine();
  return cleanText(lines.join('\n'));
}

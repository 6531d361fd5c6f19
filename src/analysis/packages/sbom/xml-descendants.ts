import type { XmlElement } from '../../xml.ts';

/** All elements below one, without recursion. */
export function descendantsOf(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    for (const child of element.elements) {
      found.push(child);
      waiting.push(child);
    }
  }
  return found;
}

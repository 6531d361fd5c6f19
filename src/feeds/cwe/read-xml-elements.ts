import { Parser } from 'htmlparser2';
import { FeedFormatError } from '../feed.ts';

/** The CWE list has 17 levels. The parser's time for an element grows with the number of those around it. */
const MAX_DEPTH = 64;
/** Characters of one wanted element, and for each piece of it some more; the largest of the CWE list has 60,000. */
const MAX_ELEMENT_CHARACTERS = 2_000_000;
const NODE_OVERHEAD_CHARACTERS = 20;

/** An XML element with what is in it; names without their namespace prefix. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

export interface XmlRoot {
  name: string;
  attributes: Record<string, string>;
}

/**
 * Reads an XML document as it comes in and yields each element of the wanted names with its content, one at a time:
 * the document as a whole is never held. `onRoot` is told the outermost element first. Entities of a DTD are not expanded.
 */
export async function* readXmlElements(
  bytes: AsyncIterable<Uint8Array>,
  wanted: ReadonlySet<string>,
  onRoot: (root: XmlRoot) => void,
): AsyncIterable<XmlElement> {
  let depth = 0;
  let ready: XmlElement[] = [];
  const open: XmlElement[] = [];
  let held = 0;
  const hold = (size: number): void => {
    held += size + NODE_OVERHEAD_CHARACTERS;
    if (held > MAX_ELEMENT_CHARACTERS)
      throw new FeedFormatError(`an XML element holds more than ${MAX_ELEMENT_CHARACTERS} characters`);
  };
  const parser = new Parser(
    {
      onopentag(qualifiedName, attributes) {
        const name = localName(qualifiedName);
        if (depth++ === 0) onRoot({ name, attributes });
        if (depth > MAX_DEPTH) throw new FeedFormatError(`the XML is nested deeper than ${MAX_DEPTH}`);
        if (open.length === 0 && !wanted.has(name)) return;
        if (open.length === 0) held = 0;
        hold(1);
        const element: XmlElement = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        if (open.length === 0) return;
        hold(text.length);
        open.at(-1)!.children.push(text);
      },
      onclosetag() {
        depth--;
        const element = open.pop();
        if (element !== undefined && open.length === 0) ready.push(element);
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* ready;
    ready = [];
  }
  parser.write(decoder.decode());
  // Asked before `end`, which closes what is still open.
  if (depth !== 0) throw new FeedFormatError('the XML ends before it is complete');
  parser.end();
  yield* ready;
}

function localName(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.indexOf(':') + 1);
}

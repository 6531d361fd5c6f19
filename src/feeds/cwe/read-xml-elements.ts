import { createXmlParser, localName, type XmlElement } from '../../analysis/xml.ts';
import { FeedFormatError } from '../feed.ts';

/** The CWE list has 17 levels. The parser's time for an element grows with the number of those around it. */
const MAX_DEPTH = 64;
/** Characters of one wanted element, and for each piece of it some more; the largest of the CWE list has 60,000. */
const MAX_ELEMENT_CHARACTERS = 2_000_000;
const NODE_OVERHEAD_CHARACTERS = 20;

/**
 * Reads an XML document as it arrives and yields each element of the wanted names with its content, one at a time, so that the
 * whole document is never held. `onRoot` gets the attributes of the outermost element first. Throws `FeedFormatError`.
 */
export async function* readXmlElements(
  bytes: AsyncIterable<Uint8Array>,
  wanted: ReadonlySet<string>,
  onRoot: (name: string, attributes: Readonly<Record<string, string>>) => void,
): AsyncIterable<XmlElement> {
  let openCount = 0;
  let isInWanted = false;
  let ready: XmlElement[] = [];
  let held = 0;
  const hold = (size: number): void => {
    held += size + NODE_OVERHEAD_CHARACTERS;
    if (held > MAX_ELEMENT_CHARACTERS)
      throw new FeedFormatError(`an XML element holds more than ${MAX_ELEMENT_CHARACTERS} characters`);
  };
  const parser = createXmlParser({
    onStart(qualifiedName, attributes, depth) {
      const name = localName(qualifiedName);
      if (openCount++ === 0) onRoot(name, attributes);
      if (depth > MAX_DEPTH) throw new FeedFormatError(`the XML is nested deeper than ${MAX_DEPTH}`);
      if (!isInWanted && !wanted.has(name)) return false;
      isInWanted = true;
      hold(1);
      return true;
    },
    onText: hold,
    onEnd: () => {
      openCount--;
    },
    onElement(element) {
      ready.push(element);
      isInWanted = false;
      held = 0;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* ready;
    ready = [];
  }
  parser.write(decoder.decode());
  // Checked before `end`, which closes what is still open.
  if (openCount !== 0) throw new FeedFormatError('the XML ends before it is complete');
  parser.end();
  yield* ready;
}

import { Parser } from 'htmlparser2';
import { FeedFormatError } from '../feed.ts';

/** An XML element with what is in it; names without their namespace prefix. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

export interface DocumentRoot {
  name: string;
  attributes: Record<string, string>;
}

/**
 * Reads an XML document as it comes in and yields each element of the wanted names with its content, one at a time:
 * the document as a whole is never held. `onRoot` is told the outermost element first. Entities of a DTD are not expanded.
 */
export async function* elementsOf(
  bytes: AsyncIterable<Uint8Array>,
  wanted: ReadonlySet<string>,
  onRoot: (root: DocumentRoot) => void,
): AsyncIterable<Element> {
  let depth = 0;
  let ready: Element[] = [];
  const open: Element[] = [];
  const parser = new Parser(
    {
      onopentag(qualifiedName, attributes) {
        const name = localName(qualifiedName);
        if (depth++ === 0) onRoot({ name, attributes });
        if (open.length === 0 && !wanted.has(name)) return;
        const element: Element = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        open.at(-1)?.children.push(text);
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

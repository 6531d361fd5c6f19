import { createXmlParser, localName, type XmlElement } from '../xml.ts';
import { DocumentError } from './lockfiles/locked-package.ts';

const MAX_DEPTH = 100;
const MAX_ELEMENTS = 500_000;
/** A name of XML 1.0, section 2.3, as far as documents of packages have them. */
const ELEMENT_NAME = /^[\p{L}_][\p{L}\p{N}_.:\u00b7-]*$/u;

/**
 * The top-level elements of an XML document; depth and size are bounded. Throws `DocumentError` if an element is not closed or has
 * no valid name, `RangeError` if there are too many or too deep elements.
 */
export function parseXml(text: string): XmlElement[] {
  const roots: XmlElement[] = [];
  let elements = 0;
  const parser = createXmlParser({
    onStart(name, _attributes, depth) {
      if (!ELEMENT_NAME.test(name)) throw new DocumentError(`<${name.slice(0, 60)}> is not the name of an element`);
      if (++elements > MAX_ELEMENTS || depth > MAX_DEPTH) throw new RangeError('too many or too deep elements');
      return true;
    },
    onEnd(name, isImplied) {
      // The parser closes open elements by itself: such a document is truncated or broken.
      if (isImplied && text[parser.endIndex - 1] !== '/')
        throw new DocumentError(`<${localName(name).slice(0, 60)}> is not closed`);
    },
    onElement: (element) => roots.push(element),
  });
  parser.end(text);
  return roots;
}

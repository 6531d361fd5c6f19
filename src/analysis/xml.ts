import { Parser } from 'htmlparser2';
import { DocumentError } from './packages/lockfiles/locked-package.ts';

const MAX_DEPTH = 100;
const MAX_ELEMENTS = 500_000;

/** An element of an XML document; names are without their prefix. */
export class XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[] = [];
  #content = '';

  constructor(name: string, attributes: Readonly<Record<string, string>> = {}) {
    this.name = name;
    this.attributes = attributes;
  }

  /** Its own text, without that of elements inside. */
  get ownText(): string {
    return this.#content.trim();
  }

  child(name: string): XmlElement | undefined {
    return this.children.find((child) => child.name === name);
  }

  /** Text of a child; empty where there is none. */
  childText(name: string): string {
    return this.child(name)?.ownText ?? '';
  }

  append(text: string): void {
    this.#content += text;
  }
}

/** A name of XML 1.0, section 2.3, as far as documents of packages have them. */
const ELEMENT_NAME = /^[\p{L}_][\p{L}\p{N}_.:\u00b7-]*$/u;

/**
 * The elements of an XML document that stand in no other. Entities that it declares itself are not expanded; depth and size are
 * bounded. Throws `DocumentFault` where elements are not closed, or have no name.
 */
export function parseXml(text: string): XmlElement[] {
  const root = new XmlElement('');
  const open = [root];
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (!ELEMENT_NAME.test(name)) throw new DocumentError(`<${name.slice(0, 60)}> is not the name of an element`);
        const element = new XmlElement(localName(name), attributes);
        if (++elements > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new RangeError('too many or too deep elements');
        open.at(-1)!.children.push(element);
        open.push(element);
      },
      ontext(data) {
        open.at(-1)!.append(data);
      },
      onclosetag(_name, isImplied) {
        // The parser repairs what is not closed: a document of data is then cut off or broken.
        if (isImplied && text[parser.endIndex - 1] !== '/')
          throw new DocumentError(`<${open.at(-1)!.name.slice(0, 60)}> is not closed`);
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return root.children;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

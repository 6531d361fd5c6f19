import { Parser } from 'htmlparser2';

/** An element of an XML document; names are without their namespace prefix. */
export class XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and pieces of text, in the order of the document. */
  readonly children: (XmlElement | string)[] = [];

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.attributes = attributes;
  }

  get elements(): XmlElement[] {
    return this.children.filter((child) => typeof child !== 'string');
  }

  /** Its own text, without the text of inner elements. */
  get ownText(): string {
    return this.children
      .filter((child) => typeof child === 'string')
      .join('')
      .trim();
  }

  child(name: string): XmlElement | undefined {
    return this.elements.find((child) => child.name === name);
  }

  /** Text of the first child with this name; empty without such a child. */
  childText(name: string): string {
    return this.child(name)?.ownText ?? '';
  }
}

/** What happens during a parse. Errors that a callback throws end the parse. */
export interface XmlEvents {
  /** An element starts, at a depth from 1. True: it is built with everything in it and passed to `onElement`. */
  onStart: (qualifiedName: string, attributes: Readonly<Record<string, string>>, depth: number) => boolean;
  /** A text inside an element that is built. */
  onText?: (length: number) => void;
  /** An element ends. `isImplied`: without an end tag of its own, also in `<name/>`. */
  onEnd?: (qualifiedName: string, isImplied: boolean) => void;
  onElement: (element: XmlElement) => void;
}

/** A streaming XML parser. Entities that the document declares are not expanded; the callbacks must limit depth and size. */
export function createXmlParser({ onStart, onText, onEnd, onElement }: XmlEvents): Parser {
  let depth = 0;
  const open: XmlElement[] = [];
  return new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        if (!onStart(name, attributes, depth) && open.length === 0) return;
        const element = new XmlElement(localName(name), attributes);
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        if (open.length === 0) return;
        onText?.(text.length);
        open.at(-1)!.children.push(text);
      },
      onclosetag(name, isImplied) {
        depth--;
        onEnd?.(name, isImplied);
        const element = open.pop();
        if (element !== undefined && open.length === 0) onElement(element);
      },
    },
    { xmlMode: true },
  );
}

/** A name without its namespace prefix. */
export function localName(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.indexOf(':') + 1);
}

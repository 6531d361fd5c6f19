import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Attributes by name in lower case; of one that is given twice the first counts. */
export type Attributes = ReadonlyMap<string, string>;

export interface HtmlHandler {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  /** A piece of text; one text may come in many. */
  text(piece: string): void;
  comment(text: string): void;
}

/** Longest value that is kept of an attribute. */
const MAX_VALUE_LENGTH = 64 * 1024;
const MAX_ATTRIBUTES = 256;
/** Longer comments are truncated. */
const MAX_COMMENT_LENGTH = 1000;

/** Elements that end SVG and MathML where they are met inside (HTML standard, section 13.2.6.5). */
const FOREIGN_CONTENT_BREAKOUTS = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre
  ruby s small span strong strike sub sup table tt u ul var`.split(/\s+/),
);

/**
 * Passes the tags and texts of a page to the handler in order. There is no tree and no stack: nesting costs nothing, however deep.
 * Inside SVG and MathML only text is passed, so that a drawing's `<title>` is not taken for the page's.
 */
export function walkHtml(html: string, handler: HtmlHandler): void {
  const tokenizer: Tokenizer = new Tokenizer({}, new TokenHandler(html, handler));
  tokenizer.write(html);
  tokenizer.end();
}

class TokenHandler implements TokenizerCallbacks {
  readonly #html: string;
  readonly #handler: HtmlHandler;
  #foreignDepth = 0;
  #name = '';
  #attributes = new Map<string, string>();
  #attribute = '';
  #value = '';

  constructor(html: string, handler: HtmlHandler) {
    this.#html = html;
    this.#handler = handler;
  }

  isInForeignContext(): boolean {
    return this.#foreignDepth > 0;
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#attributes = new Map();
    if (this.#foreignDepth > 0 && FOREIGN_CONTENT_BREAKOUTS.has(this.#name)) this.#foreignDepth = 0;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#value.length < MAX_VALUE_LENGTH)
      this.#value += this.#html.slice(start, Math.min(end, start + MAX_VALUE_LENGTH));
  }

  onattribentity(codepoint: number): void {
    if (this.#value.length < MAX_VALUE_LENGTH) this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    const attributes = this.#attributes;
    if (attributes.size < MAX_ATTRIBUTES && !attributes.has(this.#attribute))
      attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    if (isForeignElement(this.#name)) this.#foreignDepth++;
    else if (this.#foreignDepth === 0) this.#handler.open(this.#name, this.#attributes);
  }

  onselfclosingtag(): void {
    if (!isForeignElement(this.#name)) this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (isForeignElement(name)) this.#foreignDepth = Math.max(0, this.#foreignDepth - 1);
    else if (this.#foreignDepth === 0) this.#handler.close(name);
  }

  ontext(start: number, end: number): void {
    this.#handler.text(this.#html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#handler.text(String.fromCodePoint(codepoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#handler.text(this.#html.slice(start, end - endOffset));
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.#handler.comment(this.#html.slice(start, Math.min(end - endOffset, start + MAX_COMMENT_LENGTH)));
  }

  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

function isForeignElement(name: string): boolean {
  return name === 'svg' || name === 'math';
}

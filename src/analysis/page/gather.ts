import { SignGatherer } from './page-signs.ts';
import { elementSigns, scriptSigns } from './render-signs.ts';
import type { Attributes, HtmlHandler } from './walk-html.ts';

const MAX_ITEMS = 500;
const MAX_HREFS = 100_000;
const MAX_TEXT = 10_000;
const MAX_JSON_LD = 1024 * 1024;
const LONGEST_TEXT = 2000;

export interface Form {
  id: string | null;
  action: string | null;
  method: string;
  password: boolean;
}

export interface Resource {
  reference: string;
  integrity: string;
  crossorigin: string | null;
}

const HEADINGS = ['h1', 'h2', 'h3'] as const;
type Heading = (typeof HEADINGS)[number];
/** Elements that a head can have: any other begins the body (HTML standard, section 13.2.6.4.4). */
const HEAD_CONTENT = new Set(
  'html head base basefont bgsound link meta title noscript noframes style script template'.split(' '),
);
/** Elements whose text no reader sees. */
const UNSEEN = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'title',
  'textarea',
  'iframe',
  'noembed',
  'noframes',
]);

/** Takes up what a page has, as it stands there: addresses unresolved, texts uncleaned. Every list is bounded. */
/** What is taken up from an element when it opens, by its name (`elements.ts`). */
export type ElementTable = ReadonlyMap<string, (page: Gatherer, attributes: Attributes) => void>;

export class Gatherer implements HtmlHandler {
  readonly #elements: ElementTable;
  base: string | null = null;
  lang: string | null = null;
  title: string | null = null;
  canonical: string | null = null;
  readonly metas = new Map<string, string>();
  readonly og = new Map<string, string>();
  readonly csp: string[] = [];
  readonly headings: Record<Heading, { count: number; texts: string[] }> = {
    h1: { count: 0, texts: [] },
    h2: { count: 0, texts: [] },
    h3: { count: 0, texts: [] },
  };
  readonly images = { total: 0, missing_alt: 0 };
  readonly hrefs: string[] = [];
  readonly jsonLd: string[] = [];
  readonly itemTypes = new Set<string>();
  readonly icons: { reference: string; rel: string; sizes: string }[] = [];
  logo: string | null = null;
  readonly scripts: Resource[] = [];
  scriptCount = 0;
  inlineScripts = 0;
  inlineHandlers = 0;
  readonly stylesheets: Resource[] = [];
  readonly forms: Form[] = [];
  /** A password field belongs to no form. */
  passwordOutsideForm = false;
  inHead = true;
  readonly iframes: string[] = [];
  readonly active: string[] = [];
  readonly passive: string[] = [];
  comments = 0;
  textLength = 0;
  readonly renderSigns = new Set<string>();
  readonly signs = new SignGatherer();

  /** The form that is open, and ids of forms that password fields name. */
  #form: Form | null = null;
  readonly #passwordForms = new Set<string>();
  #text: string | null = null;
  #heading: Heading | null = null;
  #jsonLdSize = 0;
  #inJsonLd = false;
  #inTitle = false;
  #inScript = false;
  #isCode = false;
  #unseen: string | null = null;
  #schemaVocabulary = false;

  constructor(elements: ElementTable) {
    this.#elements = elements;
  }

  open(name: string, attributes: Attributes): void {
    this.#anyElement(name, attributes);
    if (this.#unseen === null && !HEAD_CONTENT.has(name)) this.inHead = false;
    if (this.#unseen === null && UNSEEN.has(name)) this.#unseen = name;
    const heading = HEADINGS.find((one) => one === name);
    if (heading === undefined) this.#elements.get(name)?.(this, attributes);
    else if (!this.hidden) this.#openHeading(heading);
  }

  close(name: string): void {
    if (this.#unseen === name) this.#unseen = null;
    if (name === 'form') this.#form = null;
    else if (name === 'body' || name === 'html') this.inHead = false;
    if (name === this.#heading) this.#closeHeading();
    else if (name === 'title' && this.#inTitle) {
      this.#inTitle = false;
      this.title ??= this.#take();
    } else if (name === 'script') {
      if (this.#inJsonLd) this.jsonLd.push(this.#take());
      this.#inJsonLd = false;
      this.#inScript = false;
    }
  }

  text(piece: string): void {
    if (this.#inScript) {
      for (const sign of scriptSigns(piece)) this.renderSigns.add(sign);
      if (this.#isCode) this.signs.script(piece);
    }
    if (this.#text !== null && (!this.#inScript || this.#inJsonLd)) {
      const limit = this.#inJsonLd ? MAX_JSON_LD : LONGEST_TEXT;
      if (this.#text.length < limit) this.#text += piece.slice(0, limit);
    }
    if (this.#unseen === null && this.inHead && piece.trim() !== '') this.inHead = false;
    if (this.#unseen === null && this.textLength < MAX_TEXT) {
      this.textLength = Math.min(MAX_TEXT, this.textLength + piece.trim().length);
    }
  }

  comment(text: string): void {
    this.comments++;
    this.signs.comment(text);
  }

  end(): void {
    if (this.#heading !== null) this.#closeHeading();
    if (this.#inTitle) this.title ??= this.#take();
    for (const id of this.#passwordForms) {
      const form = this.forms.find((one) => one.id === id);
      if (form === undefined) this.passwordOutsideForm = true;
      else form.password = true;
    }
  }

  /** Inside of what is only there for readers without scripts, or for scripts. */
  get hidden(): boolean {
    return this.#unseen === 'noscript' || this.#unseen === 'template';
  }

  /** Of a form inside of a form browsers take no notice. */
  openForm(form: Form): void {
    if (this.#form !== null) return;
    this.#form = form;
    this.put(this.forms, form);
  }

  /** A password field: of the form that it names, of the one that is open, or of none. */
  password(formId: string | null): void {
    if (formId !== null) {
      if (this.#passwordForms.size < MAX_ITEMS) this.#passwordForms.add(formId);
    } else if (this.#form === null) this.passwordOutsideForm = true;
    else this.#form.password = true;
  }

  openTitle(): void {
    if (this.title !== null) return;
    if (this.#heading !== null) this.#closeHeading();
    this.#inTitle = true;
    this.#text = '';
  }

  openScript(isJsonLd: boolean, isCode: boolean): void {
    this.#inScript = true;
    this.#isCode = isCode;
    if (!isJsonLd || this.#jsonLdSize >= MAX_JSON_LD || this.jsonLd.length >= MAX_ITEMS) return;
    if (this.#heading !== null) this.#closeHeading();
    this.#inJsonLd = true;
    this.#text = '';
  }

  put<Item>(list: Item[], item: Item, limit = MAX_ITEMS): void {
    if (list.length < limit) list.push(item);
  }

  meta(key: string, content: string): void {
    const into = key.startsWith('og:') ? this.og : this.metas;
    if (into.size < MAX_ITEMS && !into.has(key)) into.set(key, content);
  }

  link(href: string): void {
    this.put(this.hrefs, href, MAX_HREFS);
  }

  #anyElement(name: string, attributes: Attributes): void {
    for (const sign of elementSigns(name, attributes)) this.renderSigns.add(sign);
    this.signs.element(name, attributes);
    if (attributes.size === 0) return;
    for (const attribute of attributes.keys()) {
      if (attribute.length > 3 && attribute.startsWith('on')) this.inlineHandlers++;
    }
    const vocabulary = attributes.get('vocab');
    if (vocabulary !== undefined) this.#schemaVocabulary = /schema\.org/i.test(vocabulary);
    const types = [
      ...(attributes.get('itemtype')?.match(/https?:\/\/(?:www\.)?schema\.org\/\S{1,100}/gi) ?? []),
      ...(attributes.get('typeof')?.match(/\S{1,100}/g) ?? []).filter(
        (type) => /^schema:/i.test(type) || (this.#schemaVocabulary && !type.includes(':')),
      ),
    ];
    for (const type of types) if (this.itemTypes.size < MAX_ITEMS) this.itemTypes.add(type);
  }

  #openHeading(heading: Heading): void {
    if (this.#heading !== null) this.#closeHeading();
    this.headings[heading].count++;
    this.#heading = heading;
    this.#text = '';
  }

  #closeHeading(): void {
    this.put(this.headings[this.#heading!].texts, this.#take());
    this.#heading = null;
  }

  #take(): string {
    const text = this.#text ?? '';
    this.#text = null;
    if (this.#inJsonLd) this.#jsonLdSize += text.length;
    return text;
  }
}

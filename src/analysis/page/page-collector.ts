import { TechnologySignalCollector } from './technology-signal-collector.ts';
import { elementRenderSignals, scriptRenderSignals } from './detect-rendering.ts';
import type { Attributes, HtmlHandler } from './walk-html.ts';

const MAX_ITEMS = 500;
const MAX_HREFS = 100_000;
const MAX_COUNTED_TEXT = 10_000;
const MAX_JSON_LD_LENGTH = 1024 * 1024;
const MAX_TEXT_LENGTH = 2000;

export interface CollectedForm {
  id: string | null;
  action: string | null;
  method: string;
  hasPassword: boolean;
}

export interface CollectedResource {
  url: string;
  integrity: string;
  crossorigin: string | null;
}

const HEADINGS = ['h1', 'h2', 'h3'] as const;
type Heading = (typeof HEADINGS)[number];
/** Elements that a head can have: any other begins the body (HTML standard, section 13.2.6.4.4). */
const HEAD_ELEMENTS = new Set(
  'html head base basefont bgsound link meta title noscript noframes style script template'.split(' '),
);
/** Elements whose text no reader sees. */
const HIDDEN_TEXT_ELEMENTS = new Set([
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

/** Collects what a page has, as written: addresses unresolved, texts not cleaned. Every list is bounded. */
/** What is taken up from an element when it opens, by its name (`elements.ts`). */
export type ElementHandlers = ReadonlyMap<string, (page: PageCollector, attributes: Attributes) => void>;

export class PageCollector implements HtmlHandler {
  readonly #elements: ElementHandlers;
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
  readonly scripts: CollectedResource[] = [];
  scriptCount = 0;
  inlineScriptCount = 0;
  inlineHandlerCount = 0;
  readonly stylesheets: CollectedResource[] = [];
  readonly forms: CollectedForm[] = [];
  /** There is a password field outside of all forms. */
  hasPasswordOutsideForm = false;
  isInHead = true;
  readonly iframes: string[] = [];
  readonly activeReferences: string[] = [];
  readonly passiveReferences: string[] = [];
  commentCount = 0;
  textLength = 0;
  readonly renderSignals = new Set<string>();
  readonly technologySignals = new TechnologySignalCollector();

  /** The form that is open, and ids of forms that password fields name. */
  #currentForm: CollectedForm | null = null;
  readonly #passwordForms = new Set<string>();
  #text: string | null = null;
  #heading: Heading | null = null;
  #jsonLdSize = 0;
  #inJsonLd = false;
  #inTitle = false;
  #inScript = false;
  #isExecutableScript = false;
  #hiddenTextElement: string | null = null;
  #schemaVocabulary = false;

  constructor(elements: ElementHandlers) {
    this.#elements = elements;
  }

  open(name: string, attributes: Attributes): void {
    this.#collectFromElement(name, attributes);
    if (this.#hiddenTextElement === null && !HEAD_ELEMENTS.has(name)) this.isInHead = false;
    if (this.#hiddenTextElement === null && HIDDEN_TEXT_ELEMENTS.has(name)) this.#hiddenTextElement = name;
    const heading = HEADINGS.find((one) => one === name);
    if (heading === undefined) this.#elements.get(name)?.(this, attributes);
    else if (!this.isHidden) this.#openHeading(heading);
  }

  close(name: string): void {
    if (this.#hiddenTextElement === name) this.#hiddenTextElement = null;
    if (name === 'form') this.#currentForm = null;
    else if (name === 'body' || name === 'html') this.isInHead = false;
    if (name === this.#heading) this.#closeHeading();
    else if (name === 'title' && this.#inTitle) {
      this.#inTitle = false;
      this.title ??= this.#takeText();
    } else if (name === 'script') {
      if (this.#inJsonLd) this.jsonLd.push(this.#takeText());
      this.#inJsonLd = false;
      this.#inScript = false;
    }
  }

  text(piece: string): void {
    if (this.#inScript) {
      for (const sign of scriptRenderSignals(piece)) this.renderSignals.add(sign);
      if (this.#isExecutableScript) this.technologySignals.visitScript(piece);
    }
    if (this.#text !== null && (!this.#inScript || this.#inJsonLd)) {
      const limit = this.#inJsonLd ? MAX_JSON_LD_LENGTH : MAX_TEXT_LENGTH;
      if (this.#text.length < limit) this.#text += piece.slice(0, limit);
    }
    if (this.#hiddenTextElement === null) this.technologySignals.visitText(piece);
    if (this.#hiddenTextElement === null && this.isInHead && piece.trim() !== '') this.isInHead = false;
    if (this.#hiddenTextElement === null && this.textLength < MAX_COUNTED_TEXT) {
      this.textLength = Math.min(MAX_COUNTED_TEXT, this.textLength + piece.trim().length);
    }
  }

  comment(text: string): void {
    this.commentCount++;
    this.technologySignals.visitComment(text);
  }

  end(): void {
    if (this.#heading !== null) this.#closeHeading();
    if (this.#inTitle) this.title ??= this.#takeText();
    for (const id of this.#passwordForms) {
      const form = this.forms.find((one) => one.id === id);
      if (form === undefined) this.hasPasswordOutsideForm = true;
      else form.hasPassword = true;
    }
  }

  /** Inside of what is only there for readers without scripts, or for scripts. */
  get isHidden(): boolean {
    return this.#hiddenTextElement === 'noscript' || this.#hiddenTextElement === 'template';
  }

  /** Of a form inside of a form browsers take no notice. */
  openForm(form: CollectedForm): void {
    if (this.#currentForm !== null) return;
    this.#currentForm = form;
    this.addBounded(this.forms, form);
  }

  /** A password field: of the form that it names, of the one that is open, or of none. */
  addPasswordField(formId: string | null): void {
    if (formId !== null) {
      if (this.#passwordForms.size < MAX_ITEMS) this.#passwordForms.add(formId);
    } else if (this.#currentForm === null) this.hasPasswordOutsideForm = true;
    else this.#currentForm.hasPassword = true;
  }

  openTitle(): void {
    if (this.title !== null) return;
    if (this.#heading !== null) this.#closeHeading();
    this.#inTitle = true;
    this.#text = '';
  }

  openScript(isJsonLd: boolean, isCode: boolean): void {
    this.#inScript = true;
    this.#isExecutableScript = isCode;
    if (!isJsonLd || this.#jsonLdSize >= MAX_JSON_LD_LENGTH || this.jsonLd.length >= MAX_ITEMS) return;
    if (this.#heading !== null) this.#closeHeading();
    this.#inJsonLd = true;
    this.#text = '';
  }

  addBounded<Item>(list: Item[], item: Item, limit = MAX_ITEMS): void {
    if (list.length < limit) list.push(item);
  }

  addMeta(key: string, content: string): void {
    const into = key.startsWith('og:') ? this.og : this.metas;
    if (into.size < MAX_ITEMS && !into.has(key)) into.set(key, content);
  }

  addLink(href: string): void {
    this.addBounded(this.hrefs, href, MAX_HREFS);
  }

  #collectFromElement(name: string, attributes: Attributes): void {
    for (const sign of elementRenderSignals(name, attributes)) this.renderSignals.add(sign);
    this.technologySignals.visitElement(name, attributes);
    if (attributes.size === 0) return;
    for (const attribute of attributes.keys()) {
      if (attribute.length > 3 && attribute.startsWith('on')) this.inlineHandlerCount++;
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
    this.addBounded(this.headings[this.#heading!].texts, this.#takeText());
    this.#heading = null;
  }

  #takeText(): string {
    const text = this.#text ?? '';
    this.#text = null;
    if (this.#inJsonLd) this.#jsonLdSize += text.length;
    return text;
  }
}

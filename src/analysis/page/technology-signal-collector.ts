import { RULE_MARKS } from '../tech/rule-marks.ts';
import { displayLine } from '../display-text.ts';
import type { PageTechnologySignals } from './page-facts.ts';
import type { PageUrlResolver } from './page-url-resolver.ts';
import type { Attributes } from './walk-html.ts';

const MAX_SCRIPT_LENGTH = 1024 * 1024;
const MAX_URLS = 200;
const MAX_COMMENTS = 100;
const MAX_VALUE_LENGTH = 200;
const MAX_CLASS_LENGTH = 1000;

const IDENTIFIER = /[A-Za-z_$][\w$]{1,60}/g;
const HOST = String.raw`([a-z0-9][a-z0-9.-]{1,80}\.[a-z]{2,12})(?![\w.-])`;
/** `//host/path`, and `'.host/path'` of scripts that put the scheme before it themselves. */
const URL_PATTERN = new RegExp(
  String.raw`(?:\/\/${HOST}(\/[\w./@%-]{0,120})?|["']\.?${HOST}(\/[\w./@%-]{1,120}))`,
  'gi',
);
/** Where a page begins to say what made it. */
const CREDIT =
  /\b(?:powered by|(?:created|generated|built|made|running|rendered|published|produced) (?:by|using|with|on)|version|proudly)\b/i;
const CREDIT_LENGTH = 120;
const MAX_CREDITS = 40;
const PRELOAD = /(?:^|\s)(?:(?:module)?preload|preconnect)(?:\s|$)/i;
const MEDIA_ELEMENTS = new Set(['img', 'source', 'video']);

/** Gathers what tells which technologies made a page. All of it is bounded. */
export class TechnologySignalCollector {
  readonly #generators = new Set<string>();
  readonly #marks = new Map<string, string>();
  readonly #words = new Set<string>();
  readonly #inlineUrls = new Set<string>();
  readonly #comments = new Set<string>();
  readonly #media = new Set<string>();
  readonly #preloads = new Set<string>();
  #scriptLength = 0;
  readonly #credits: string[] = [];
  #isCreditOpen = false;

  visitElement(name: string, attributes: Attributes): void {
    if (name.includes('-') && RULE_MARKS.elements.has(name)) this.#addMark(`<${name}>`, '');
    for (const [attribute, value] of attributes) {
      if (attribute === 'id') {
        if (RULE_MARKS.ids.has(value)) this.#addMark(`#${value}`, '');
      } else if (attribute === 'class') {
        for (const token of value.slice(0, MAX_CLASS_LENGTH).split(/\s/)) {
          if (RULE_MARKS.classes.has(token)) this.#addMark(`.${token}`, '');
          const start = RULE_MARKS.classStarts.find((one) => token.startsWith(one));
          if (start !== undefined) this.#addMark(`.${start}*`, token);
        }
      } else if (RULE_MARKS.attributes.has(attribute)) this.#addMark(`[${attribute}]`, value);
      else {
        const start = RULE_MARKS.attributeStarts.find((one) => attribute.startsWith(one));
        if (start !== undefined) this.#addMark(`[${start}*]`, value);
      }
    }
    if (MEDIA_ELEMENTS.has(name)) addBounded(this.#media, attributes.get('src'), MAX_URLS);
    else if (name === 'meta' && attributes.get('name')?.trim().toLowerCase() === 'generator') {
      addBounded(this.#generators, attributes.get('content'), 20);
    } else if (name === 'link' && PRELOAD.test(attributes.get('rel')?.slice(0, MAX_VALUE_LENGTH) ?? '')) {
      addBounded(this.#preloads, attributes.get('href'), MAX_URLS);
    }
  }

  /** A piece of an inline script. */
  visitScript(piece: string): void {
    if (this.#scriptLength >= MAX_SCRIPT_LENGTH) return;
    const text = piece.slice(0, MAX_SCRIPT_LENGTH - this.#scriptLength);
    this.#scriptLength += text.length;
    for (const [identifier] of text.matchAll(IDENTIFIER)) {
      if (RULE_MARKS.words.has(identifier)) this.#words.add(identifier);
    }
    // As JSON may write slashes.
    const plain = text.includes(String.raw`\/`) ? text.replaceAll(String.raw`\/`, '/') : text;
    for (const [, host, path, plainHost, plainPath] of plain.matchAll(URL_PATTERN)) {
      if (this.#inlineUrls.size >= MAX_URLS) break;
      this.#inlineUrls.add(`//${host ?? plainHost}${path ?? plainPath ?? ''}`);
    }
  }

  /** A piece of text that readers see. A credit goes on in the pieces that follow: a link is in the middle of most. */
  visitText(piece: string): void {
    const last = this.#credits.length - 1;
    if (this.#isCreditOpen) {
      this.#credits[last] += piece.slice(0, CREDIT_LENGTH);
      this.#isCreditOpen = this.#credits[last]!.length < CREDIT_LENGTH;
      return;
    }
    const start = piece.search(CREDIT);
    if (start === -1 || this.#credits.length >= MAX_CREDITS) return;
    this.#credits.push(piece.slice(start, start + CREDIT_LENGTH));
    this.#isCreditOpen = piece.length - start < CREDIT_LENGTH;
  }

  visitComment(text: string): void {
    if (this.#comments.size < MAX_COMMENTS) this.#comments.add(displayLine(text, MAX_VALUE_LENGTH));
  }

  toSignals(urls: PageUrlResolver): PageTechnologySignals {
    const resolved = (references: ReadonlySet<string>): string[] =>
      [...references].map((reference) => urls.resolve(reference)).filter((url) => url !== null);
    return {
      generators: [...this.#generators].map((generator) => displayLine(generator, MAX_VALUE_LENGTH)),
      marks: Object.fromEntries([...this.#marks].map(([mark, value]) => [mark, displayLine(value, MAX_VALUE_LENGTH)])),
      words: [...this.#words],
      inline_urls: [...this.#inlineUrls],
      comments: [...this.#comments],
      credits: this.#credits.map((text) => displayLine(text, CREDIT_LENGTH)),
      media: resolved(this.#media),
      preloads: resolved(this.#preloads),
    };
  }

  #addMark(mark: string, value: string): void {
    if (!this.#marks.has(mark)) this.#marks.set(mark, value);
  }
}

function addBounded(set: Set<string>, text: string | undefined, limit: number): void {
  if (text !== undefined && set.size < limit) set.add(text);
}

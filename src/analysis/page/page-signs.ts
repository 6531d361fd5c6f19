import { PAGE_MARKS } from '../tech/page-marks.ts';
import { shownLine } from '../text.ts';
import type { PageSigns } from './page-facts.ts';
import type { PageUrls } from './page-url.ts';
import type { Attributes } from './walk-html.ts';

const MAX_SCRIPT = 1024 * 1024;
const MAX_URLS = 200;
const MAX_COMMENTS = 100;
const LONGEST = 200;
const LONGEST_CLASS = 1000;

const IDENTIFIER = /[A-Za-z_$][\w$]{1,60}/g;
const HOST = String.raw`([a-z0-9][a-z0-9.-]{1,80}\.[a-z]{2,12})(?![\w.-])`;
/** `//host/path`, and `'.host/path'` of scripts that put the scheme before it themselves. */
const ADDRESS = new RegExp(String.raw`(?:\/\/${HOST}(\/[\w./@%-]{0,120})?|["']\.?${HOST}(\/[\w./@%-]{1,120}))`, 'gi');
const PRELOAD = /(?:^|\s)(?:module)?preload(?:\s|$)/i;
const IMAGES = new Set(['img', 'source', 'video']);

/** Gathers what tells which technologies made a page. All of it is bounded. */
export class SignGatherer {
  readonly #generators = new Set<string>();
  readonly #marks = new Map<string, string>();
  readonly #words = new Set<string>();
  readonly #inlineUrls = new Set<string>();
  readonly #comments = new Set<string>();
  readonly #media = new Set<string>();
  readonly #preloads = new Set<string>();
  #script = 0;

  element(name: string, attributes: Attributes): void {
    if (name.includes('-') && PAGE_MARKS.elements.has(name)) this.#mark(`<${name}>`, '');
    for (const [attribute, value] of attributes) {
      if (attribute === 'id') {
        if (PAGE_MARKS.ids.has(value)) this.#mark(`#${value}`, '');
      } else if (attribute === 'class') {
        for (const token of value.slice(0, LONGEST_CLASS).split(/\s/)) {
          if (PAGE_MARKS.classes.has(token)) this.#mark(`.${token}`, '');
        }
      } else if (PAGE_MARKS.attributes.has(attribute)) this.#mark(`[${attribute}]`, value);
    }
    if (IMAGES.has(name)) add(this.#media, attributes.get('src'), MAX_URLS);
    else if (name === 'meta' && attributes.get('name')?.trim().toLowerCase() === 'generator') {
      add(this.#generators, attributes.get('content'), 20);
    } else if (name === 'link' && PRELOAD.test(attributes.get('rel')?.slice(0, LONGEST) ?? '')) {
      add(this.#preloads, attributes.get('href'), MAX_URLS);
    }
  }

  /** A piece of an inline script. */
  script(piece: string): void {
    if (this.#script >= MAX_SCRIPT) return;
    const text = piece.slice(0, MAX_SCRIPT - this.#script);
    this.#script += text.length;
    for (const [identifier] of text.matchAll(IDENTIFIER)) {
      if (PAGE_MARKS.words.has(identifier)) this.#words.add(identifier);
    }
    // As JSON may write slashes.
    const plain = text.includes(String.raw`\/`) ? text.replaceAll(String.raw`\/`, '/') : text;
    for (const [, host, path, plainHost, plainPath] of plain.matchAll(ADDRESS)) {
      if (this.#inlineUrls.size >= MAX_URLS) break;
      this.#inlineUrls.add(`//${host ?? plainHost}${path ?? plainPath ?? ''}`);
    }
  }

  comment(text: string): void {
    if (this.#comments.size < MAX_COMMENTS) this.#comments.add(shownLine(text, LONGEST));
  }

  found(urls: PageUrls): PageSigns {
    const resolved = (references: ReadonlySet<string>): string[] =>
      [...references].map((reference) => urls.resolve(reference)).filter((url) => url !== null);
    return {
      generators: [...this.#generators].map((generator) => shownLine(generator, LONGEST)),
      marks: Object.fromEntries([...this.#marks].map(([mark, value]) => [mark, shownLine(value, LONGEST)])),
      words: [...this.#words],
      inline_urls: [...this.#inlineUrls],
      comments: [...this.#comments],
      media: resolved(this.#media),
      preloads: resolved(this.#preloads),
    };
  }

  #mark(mark: string, value: string): void {
    if (!this.#marks.has(mark)) this.#marks.set(mark, value);
  }
}

function add(set: Set<string>, text: string | undefined, limit: number): void {
  if (text !== undefined && set.size < limit) set.add(text);
}

import type { CharsetSource } from './decode-html.ts';

/** What a page shows, cleaned and bounded; every address absolute and a web address. Plain data. */
export interface PageFacts {
  /** Where the page was read, after redirects. */
  url: string;
  charset: string;
  charset_source: CharsetSource;
  /** The page is longer than what was read of it. */
  truncated: boolean;
  lang: string | null;
  title: string | null;
  canonical: string | null;
  /** Contents of `<meta>` by name (or property, or http-equiv) in lower case, first one of each. */
  metas: Record<string, string>;
  /** Policies in `<meta http-equiv="Content-Security-Policy">` in the head, where they are in force. */
  csp: string[];
  refresh: { seconds: number; url: string | null } | null;
  /** Open Graph: property to content, first one of each. */
  og: Record<string, string>;
  og_image: string | null;
  headings: Record<'h1' | 'h2' | 'h3', HeadingFacts>;
  images: { total: number; missing_alt: number };
  links: { internal: number; external: number; comparing: boolean };
  json_ld: { blocks: number; invalid: number };
  /** Of JSON-LD, microdata and RDFa, without the address of the vocabulary. */
  schema_types: string[];
  structured_name: string | null;
  /** Best first. */
  icons: string[];
  logo: string | null;
  /** Those with an address; `script_count` is of all. */
  scripts: ResourceFact[];
  script_count: number;
  inline_scripts: number;
  inline_handlers: number;
  stylesheets: ResourceFact[];
  forms: FormFact[];
  /** A password field is outside of all forms: a script sends its value. */
  password_outside_form: boolean;
  iframes: string[];
  /** Unencrypted resources of an encrypted page. */
  mixed: { active: string[]; passive: string[] };
  comments: number;
  /** Characters of text that a reader sees before any script ran, counted to 10,000. */
  text_length: number;
  /** Signs of how the page is rendered: ids, attributes and words of scripts that frameworks leave. */
  render_signs: string[];
  signs: PageTechnologySignals;
}

/** What tells which technologies made a page (`src/analysis/tech`). */
export interface PageTechnologySignals {
  generators: string[];
  /** Marks that some rule asks for (`#id`, `.class`, `[attribute]`, `<element>`), and the attribute's value. */
  marks: Record<string, string>;
  /** Identifiers in inline scripts that some rule asks for. */
  words: string[];
  /** `//host/path` as written in inline scripts. */
  inline_urls: string[];
  /** Starts of comments. */
  comments: string[];
  /** What the page says of its making: `powered by ...`, `created using ...`. */
  credits: string[];
  /** Of images and videos. */
  media: string[];
  /** Of `<link rel="preload">`, `modulepreload` and `preconnect`. */
  preloads: string[];
}

export interface HeadingFacts {
  count: number;
  texts: string[];
}

export interface ResourceFact {
  url: string;
  /** The `integrity` attribute holds a hash. */
  integrity: boolean;
  crossorigin: string | null;
  /** On another registrable domain than the page. */
  foreign: boolean;
}

export interface FormFact {
  /** Null: it is sent to no web address. */
  action: string | null;
  method: 'get' | 'post' | 'dialog';
  /** It asks for a password. */
  password: boolean;
  foreign: boolean;
}

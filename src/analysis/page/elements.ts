import type { ElementTable, Gatherer, Resource } from './gather.ts';
import type { Attributes } from './walk-html.ts';

type Opened = (page: Gatherer, attributes: Attributes) => void;

/** What is taken up from an element when it opens, by its name. */
const OPENED: Readonly<Record<string, Opened>> = {
  html: (page, attributes) => {
    page.lang ??= attributes.get('lang') ?? null;
  },
  base: (page, attributes) => {
    page.base ??= attributes.get('href') ?? null;
  },
  title: (page) => page.openTitle(),
  meta: (page, attributes) => {
    const content = attributes.get('content');
    if (content === undefined) return;
    const directive = attributes.get('http-equiv')?.trim().toLowerCase();
    // A policy is in force in the head alone (HTML standard, section 4.2.5.3).
    if (directive === 'content-security-policy' && page.inHead && !page.hidden) page.put(page.csp, content);
    const key = (attributes.get('property') ?? attributes.get('name') ?? attributes.get('http-equiv'))
      ?.trim()
      .toLowerCase();
    if (key === undefined || key === '') return;
    page.meta(key, content);
  },
  link: (page, attributes) => {
    const reference = attributes.get('href');
    if (reference === undefined) return;
    const rels = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    if (rels.includes('canonical')) page.canonical ??= reference;
    const icon = rels.find((rel) => rel === 'icon' || rel.startsWith('apple-touch-icon') || rel === 'mask-icon');
    if (icon !== undefined) page.put(page.icons, { reference, rel: icon, sizes: attributes.get('sizes') ?? '' });
    if (rels.includes('stylesheet')) {
      page.put(page.stylesheets, resource(reference, attributes));
      page.put(page.active, reference);
    }
  },
  script: (page, attributes) => {
    const reference = attributes.get('src');
    const type = (attributes.get('type') ?? '').split(';')[0]!.trim().toLowerCase();
    const runs = type === '' || type === 'module' || /javascript|ecmascript|jsx|babel/.test(type);
    // What waits for consent is `text/plain` until then.
    page.openScript(type === 'application/ld+json', runs || type === 'text/plain');
    if (!runs) return;
    page.scriptCount++;
    if (reference === undefined) page.inlineScripts++;
    else {
      page.put(page.scripts, resource(reference, attributes));
      page.put(page.active, reference);
    }
  },
  img: (page, attributes) => {
    const reference = attributes.get('src');
    if (reference !== undefined) page.put(page.passive, reference);
    if (page.hidden) return;
    page.images.total++;
    if (!attributes.has('alt')) page.images.missing_alt++;
    const words = [
      reference,
      attributes.get('class'),
      attributes.get('id'),
      attributes.get('alt'),
      attributes.get('itemprop'),
    ];
    if (reference !== undefined && words.some((word) => word !== undefined && /logo/i.test(word.slice(0, 500)))) {
      page.logo ??= reference;
    }
  },
  a: linked,
  area: linked,
  form: (page, attributes) => {
    page.openForm({
      id: attributes.get('id') ?? null,
      action: attributes.get('action') ?? null,
      method: (attributes.get('method') ?? 'get').trim().toLowerCase(),
      password: false,
    });
  },
  input: (page, attributes) => {
    if (attributes.get('type')?.toLowerCase() === 'password') page.password(attributes.get('form') ?? null);
  },
  iframe: (page, attributes) => {
    const reference = attributes.get('src');
    if (reference === undefined) return;
    page.put(page.iframes, reference);
    page.put(page.active, reference);
  },
  object: (page, attributes) => put(page, page.active, attributes.get('data')),
  embed: (page, attributes) => put(page, page.active, attributes.get('src')),
  video: (page, attributes) => put(page, page.passive, attributes.get('src')),
  audio: (page, attributes) => put(page, page.passive, attributes.get('src')),
  source: (page, attributes) => put(page, page.passive, attributes.get('src')),
};

export const ELEMENTS: ElementTable = new Map(Object.entries(OPENED));

function linked(page: Gatherer, attributes: Attributes): void {
  const href = attributes.get('href');
  if (href !== undefined && !page.hidden) page.link(href);
}

function put(page: Gatherer, list: string[], reference: string | undefined): void {
  if (reference !== undefined) page.put(list, reference);
}

function resource(reference: string, attributes: Attributes): Resource {
  return {
    reference,
    integrity: attributes.get('integrity') ?? '',
    crossorigin: attributes.get('crossorigin') ?? null,
  };
}

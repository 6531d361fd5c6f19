import type { ElementHandlers, PageCollector, CollectedResource } from './page-collector.ts';
import type { Attributes } from './walk-html.ts';

type ElementHandler = (page: PageCollector, attributes: Attributes) => void;

/** What is taken up from an element when it opens, by its name. */
const HANDLERS_BY_ELEMENT: Readonly<Record<string, ElementHandler>> = {
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
    if (directive === 'content-security-policy' && page.isInHead && !page.isHidden) page.addBounded(page.csp, content);
    const key = (attributes.get('property') ?? attributes.get('name') ?? attributes.get('http-equiv'))
      ?.trim()
      .toLowerCase();
    if (key === undefined || key === '') return;
    page.addMeta(key, content);
  },
  link: (page, attributes) => {
    const reference = attributes.get('href');
    if (reference === undefined) return;
    const rels = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    if (rels.includes('canonical')) page.canonical ??= reference;
    const icon = rels.find((rel) => rel === 'icon' || rel.startsWith('apple-touch-icon') || rel === 'mask-icon');
    if (icon !== undefined) page.addBounded(page.icons, { reference, rel: icon, sizes: attributes.get('sizes') ?? '' });
    if (rels.includes('stylesheet')) {
      page.addBounded(page.stylesheets, toResource(reference, attributes));
      page.addBounded(page.activeReferences, reference);
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
    if (reference === undefined) page.inlineScriptCount++;
    else {
      page.addBounded(page.scripts, toResource(reference, attributes));
      page.addBounded(page.activeReferences, reference);
    }
  },
  img: (page, attributes) => {
    const reference = attributes.get('src');
    if (reference !== undefined) page.addBounded(page.passiveReferences, reference);
    if (page.isHidden) return;
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
  a: handleLink,
  area: handleLink,
  form: (page, attributes) => {
    page.openForm({
      id: attributes.get('id') ?? null,
      action: attributes.get('action') ?? null,
      method: (attributes.get('method') ?? 'get').trim().toLowerCase(),
      hasPassword: false,
    });
  },
  input: (page, attributes) => {
    if (attributes.get('type')?.toLowerCase() === 'password') page.addPasswordField(attributes.get('form') ?? null);
  },
  iframe: (page, attributes) => {
    const reference = attributes.get('src');
    if (reference === undefined) return;
    page.addBounded(page.iframes, reference);
    page.addBounded(page.activeReferences, reference);
  },
  object: (page, attributes) => addReference(page, page.activeReferences, attributes.get('data')),
  embed: (page, attributes) => addReference(page, page.activeReferences, attributes.get('src')),
  video: (page, attributes) => addReference(page, page.passiveReferences, attributes.get('src')),
  audio: (page, attributes) => addReference(page, page.passiveReferences, attributes.get('src')),
  source: (page, attributes) => addReference(page, page.passiveReferences, attributes.get('src')),
};

export const ELEMENT_HANDLERS: ElementHandlers = new Map(Object.entries(HANDLERS_BY_ELEMENT));

function handleLink(page: PageCollector, attributes: Attributes): void {
  const href = attributes.get('href');
  if (href !== undefined && !page.isHidden) page.addLink(href);
}

function addReference(page: PageCollector, list: string[], reference: string | undefined): void {
  if (reference !== undefined) page.addBounded(list, reference);
}

function toResource(reference: string, attributes: Attributes): CollectedResource {
  return {
    url: reference,
    integrity: attributes.get('integrity') ?? '',
    crossorigin: attributes.get('crossorigin') ?? null,
  };
}

import type { PageFacts } from './page-facts.ts';
import type { Attributes } from './walk-html.ts';

/**
 * How frameworks that render in the browser show in a page. `roots` are ids of the element that they fill; the first framework
 * of the list whose sign is there decides, so specific ones precede general ones.
 */
interface RenderFramework {
  name: string;
  rootIds?: readonly string[];
  elements?: readonly string[];
  attributes?: readonly string[];
  /** In inline scripts and addresses of scripts. */
  words?: readonly string[];
}

const FRAMEWORKS: readonly RenderFramework[] = [
  { name: 'Next.js', rootIds: ['__next'], words: ['__NEXT_DATA__', '/_next/static/', 'self.__next_f'] },
  { name: 'Nuxt', rootIds: ['__nuxt', '__layout'], words: ['__NUXT__', '/_nuxt/'] },
  { name: 'Gatsby', rootIds: ['___gatsby'], words: ['___gatsby', '/page-data/app-data.json'] },
  { name: 'Remix', words: ['__remixContext'] },
  { name: 'SvelteKit', attributes: ['data-sveltekit-preload-data', 'data-sveltekit-hydrate'], words: ['__sveltekit_'] },
  { name: 'Astro', elements: ['astro-island'] },
  { name: 'Angular', elements: ['app-root'], attributes: ['ng-version', 'ng-server-context'] },
  { name: 'AngularJS', attributes: ['ng-app', 'data-ng-app'] },
  { name: 'Ember', words: ['/config/environment', 'EmberENV'] },
  { name: 'Vue', attributes: ['data-v-app', 'data-server-rendered'] },
  { name: 'React', attributes: ['data-reactroot', 'data-reactid'], rootIds: ['react-root'] },
];
/** Roots that several frameworks use. */
const COMMON_ROOTS = ['root', 'app'];

interface RenderSignal {
  framework: string | null;
  /** It is the element that is filled. */
  isRoot: boolean;
}

const RENDER_SIGNALS = new Map<string, RenderSignal>();
const SIGNAL_ATTRIBUTES = new Set(FRAMEWORKS.flatMap(({ attributes = [] }) => attributes));
const SCRIPT_WORDS: string[] = [];
for (const id of COMMON_ROOTS) RENDER_SIGNALS.set(`#${id}`, { framework: null, isRoot: true });
for (const { name, rootIds: roots = [], elements = [], attributes = [], words = [] } of FRAMEWORKS) {
  for (const id of roots) RENDER_SIGNALS.set(`#${id}`, { framework: name, isRoot: true });
  for (const element of elements) RENDER_SIGNALS.set(`<${element}>`, { framework: name, isRoot: true });
  for (const attribute of attributes) RENDER_SIGNALS.set(`[${attribute}]`, { framework: name, isRoot: false });
  for (const word of words) RENDER_SIGNALS.set(word, { framework: name, isRoot: false });
  SCRIPT_WORDS.push(...words);
}

/** Signs in a piece of script, or in the address of one. */
export function scriptRenderSignals(text: string): string[] {
  return SCRIPT_WORDS.filter((word) => text.includes(word));
}

/** Signs in an element: its name, its id, its attributes. */
export function elementRenderSignals(name: string, attributes: Attributes): string[] {
  const signs: string[] = [];
  for (const attribute of attributes.keys()) if (SIGNAL_ATTRIBUTES.has(attribute)) signs.push(`[${attribute}]`);
  const id = attributes.get('id');
  if (id !== undefined && RENDER_SIGNALS.has(`#${id}`)) signs.push(`#${id}`);
  if (name.includes('-') && RENDER_SIGNALS.has(`<${name}>`)) signs.push(`<${name}>`);
  const source = name === 'script' ? attributes.get('src') : undefined;
  return source === undefined ? signs : [...signs, ...scriptRenderSignals(source)];
}

/** Less than this many characters of text, and no more links and images than this, are a page without its content. */
const MIN_TEXT_LENGTH = 200;
const MAX_ITEMS_WITHOUT_CONTENT = 5;

export interface RenderingFacts {
  /** What is to be read is not in the page, but put there by scripts. */
  client_side_rendered: boolean;
  /** The framework, where its signs are there, whether it rendered on the server or not. */
  render_framework: string | null;
}

/** An element to be filled, scripts, and hardly any content: the page is rendered in the browser. */
export function detectRendering({ render_signs, script_count, text_length, links, images }: PageFacts): RenderingFacts {
  const signs = render_signs.map((sign) => RENDER_SIGNALS.get(sign)).filter((sign) => sign !== undefined);
  const framework = FRAMEWORKS.find(({ name }) => signs.some((sign) => sign.framework === name));
  const bare =
    text_length < MIN_TEXT_LENGTH && links.internal + links.external + images.total <= MAX_ITEMS_WITHOUT_CONTENT;
  return {
    client_side_rendered: bare && script_count > 0 && signs.some(({ isRoot }) => isRoot),
    render_framework: framework?.name ?? null,
  };
}

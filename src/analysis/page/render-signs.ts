import type { PageFacts } from './page-facts.ts';
import type { Attributes } from './walk-html.ts';

/**
 * How frameworks that render in the browser show in a page. `roots` are ids of the element that they fill; the first framework
 * of the list whose sign is there is the one, so the special stand before the general.
 */
interface RenderFramework {
  name: string;
  roots?: readonly string[];
  elements?: readonly string[];
  attributes?: readonly string[];
  /** In inline scripts and addresses of scripts. */
  words?: readonly string[];
}

const FRAMEWORKS: readonly RenderFramework[] = [
  { name: 'Next.js', roots: ['__next'], words: ['__NEXT_DATA__', '/_next/static/', 'self.__next_f'] },
  { name: 'Nuxt', roots: ['__nuxt', '__layout'], words: ['__NUXT__', '/_nuxt/'] },
  { name: 'Gatsby', roots: ['___gatsby'], words: ['___gatsby', '/page-data/app-data.json'] },
  { name: 'Remix', words: ['__remixContext'] },
  { name: 'SvelteKit', attributes: ['data-sveltekit-preload-data', 'data-sveltekit-hydrate'], words: ['__sveltekit_'] },
  { name: 'Astro', elements: ['astro-island'] },
  { name: 'Angular', elements: ['app-root'], attributes: ['ng-version', 'ng-server-context'] },
  { name: 'AngularJS', attributes: ['ng-app', 'data-ng-app'] },
  { name: 'Ember', words: ['/config/environment', 'EmberENV'] },
  { name: 'Vue', attributes: ['data-v-app', 'data-server-rendered'] },
  { name: 'React', attributes: ['data-reactroot', 'data-reactid'], roots: ['react-root'] },
];
/** Roots that several frameworks use. */
const COMMON_ROOTS = ['root', 'app'];

interface Sign {
  framework: string | null;
  /** It is the element that is filled. */
  root: boolean;
}

const SIGNS = new Map<string, Sign>();
const ATTRIBUTES = new Set(FRAMEWORKS.flatMap(({ attributes = [] }) => attributes));
const WORDS: string[] = [];
for (const id of COMMON_ROOTS) SIGNS.set(`#${id}`, { framework: null, root: true });
for (const { name, roots = [], elements = [], attributes = [], words = [] } of FRAMEWORKS) {
  for (const id of roots) SIGNS.set(`#${id}`, { framework: name, root: true });
  for (const element of elements) SIGNS.set(`<${element}>`, { framework: name, root: true });
  for (const attribute of attributes) SIGNS.set(`[${attribute}]`, { framework: name, root: false });
  for (const word of words) SIGNS.set(word, { framework: name, root: false });
  WORDS.push(...words);
}

/** Signs in a piece of script, or in the address of one. */
export function scriptSigns(text: string): string[] {
  return WORDS.filter((word) => text.includes(word));
}

/** Signs in an element: its name, its id, its attributes. */
export function elementSigns(name: string, attributes: Attributes): string[] {
  const signs: string[] = [];
  for (const attribute of attributes.keys()) if (ATTRIBUTES.has(attribute)) signs.push(`[${attribute}]`);
  const id = attributes.get('id');
  if (id !== undefined && SIGNS.has(`#${id}`)) signs.push(`#${id}`);
  if (name.includes('-') && SIGNS.has(`<${name}>`)) signs.push(`<${name}>`);
  const source = name === 'script' ? attributes.get('src') : undefined;
  return source === undefined ? signs : [...signs, ...scriptSigns(source)];
}

/** Less than this many characters of text, and no more links and images than this, are a page without its content. */
const LITTLE_TEXT = 200;
const FEW_ITEMS = 5;

export interface Rendering {
  /** What is to be read is not in the page, but put there by scripts. */
  client_side_rendered: boolean;
  /** The framework, where its signs are there, whether it rendered on the server or not. */
  render_framework: string | null;
}

/** An element to be filled, scripts, and hardly any content: the page is rendered in the browser. */
export function renderingOf({ render_signs, script_count, text_length, links, images }: PageFacts): Rendering {
  const signs = render_signs.map((sign) => SIGNS.get(sign)).filter((sign) => sign !== undefined);
  const framework = FRAMEWORKS.find(({ name }) => signs.some((sign) => sign.framework === name));
  const bare = text_length < LITTLE_TEXT && links.internal + links.external + images.total <= FEW_ITEMS;
  return {
    client_side_rendered: bare && script_count > 0 && signs.some(({ root }) => root),
    render_framework: framework?.name ?? null,
  };
}

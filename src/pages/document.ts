import { assetPath, type AssetName } from './assets.ts';
import { html, type Html } from './html.ts';
import { link } from './links.ts';
import type { PageDocument, PageRequest } from './page.ts';
import { stateNote } from './parts/states.ts';

/** Sections of the site, as every page lists them, with the other paths below each. */
const SECTIONS: readonly (readonly [path: string, name: string, ...others: string[]])[] = [
  ['/search', 'Search'],
  ['/kev', 'Exploited'],
  ['/check', 'Check'],
  ['/attack', 'Attack and defense', '/atlas', '/cwe', '/d3fend', '/sigma'],
  ['/watches', 'Watches'],
  ['/status', 'Status'],
  ['/docs', 'API'],
];

/** The start of a page's document, up to where its content begins. */
export function documentStart(content: PageDocument, { url, origin, notice }: PageRequest): Html {
  const { title, description, feed, picture, scripts = [] } = content;
  const path = url.split('?')[0]!;
  const scriptNames: readonly AssetName[] = ['page', ...scripts];
  // No line break before the doctype: browsers would use another layout mode.
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sextant</title>
<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Sextant">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${origin}${url}">
${picture !== undefined && html`<meta property="og:image" content="${origin}${picture}">`}
${feed !== undefined && html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${feed}">`}
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assetPath('icon')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('style')}">
<script src="${assetPath('theme')}"></script>
${scriptNames.map((name) => html`<script type="module" src="${assetPath(name)}"></script>`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="site">
<a class="brand" href="/">Sextant</a>
<form class="site-search" action="/" role="search"><label class="hidden" for="site-search">CVE, domain, IP, hash, package or anything</label><input id="site-search" name="q" type="search" placeholder="CVE, domain, IP, hash, package …" autocomplete="off" spellcheck="false" maxlength="2000" data-search><button>Look up</button></form>
<nav aria-label="Sections"><ul>${SECTIONS.map(
    ([section, name, ...others]) =>
      html`<li><a href="${section}"${[section, ...others].some((one) => isWithin(path, one)) && html` aria-current="${path === section ? 'page' : 'true'}"`}>${name}</a></li>`,
  )}</ul></nav>
</header>
<main id="content">
${notice !== null && stateNote('refused', notice, html`You can go on without a key, or ${link('/key', 'sign in again')}.`)}`;
}

/** The end of a document: `foot` says what the page rests on. */
export function documentEnd(foot: Html | null): Html {
  return html`
</main>
${foot}
<footer class="site">
<p>Sextant ${link('/privacy', 'What is stored')} ${link('/key', 'Your key and usage')} ${link('/docs/errors', 'Errors')} ${link('/openapi.json', 'OpenAPI')}</p>
<p class="needs-scripts"><label>Theme <select data-theme-choice><option value="">as the system</option><option value="light">light</option><option value="dark">dark</option></select></label></p>
</footer>
</body>
</html>
`;
}

function isWithin(path: string, section: string): boolean {
  return path === section || path.startsWith(`${section}/`);
}

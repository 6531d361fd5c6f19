import { readPage } from '../../../src/analysis/page/read-page.ts';
import type { TechnologyRule } from '../../../src/analysis/tech/technology-rule.ts';
import type { SiteFacts } from '../../../src/analysis/tech/url-signals.ts';

const EMPTY: SiteFacts = { headers: {}, cookies: [], page: null, dns: null };
const NO_DNS = { ns: [], mx: [], txt: [], cname: [] };

/** What a site of which nothing but this example is known shows: pages are written as HTML and read as all pages are. */
export function siteWith({ kind, name }: TechnologyRule, example: string): SiteFacts {
  switch (kind) {
    case 'header': {
      const whole = /^([\w-]+): 1$/.exec(example);
      return { ...EMPTY, headers: whole === null ? { [name]: [example] } : { [whole[1]!]: ['1'] } };
    }
    case 'cookie':
      return { ...EMPTY, cookies: [example] };
    case 'ns':
    case 'mx':
    case 'cname':
    case 'txt':
      return { ...EMPTY, dns: { ...NO_DNS, [kind]: [example] } };
    case 'spf':
      return { ...EMPTY, dns: { ...NO_DNS, txt: [example] } };
    default:
      return siteOf(htmlOf(kind, name, example));
  }
}

export function siteOf(html: string, url = 'https://www.example.com/'): SiteFacts {
  return { ...EMPTY, page: readPage({ bytes: Buffer.from(html), url, contentType: 'text/html', truncated: false }) };
}

function htmlOf(kind: TechnologyRule['kind'], name: string, example: string): string {
  const text = example.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  switch (kind) {
    case 'meta':
      return `<meta name="${name}" content="${text}">`;
    case 'comment':
      return `<!-- ${example} -->`;
    case 'title':
      return `<title>${text}</title>`;
    case 'credit':
      return `<p>${text}</p>`;
    case 'media':
      return `<img src="${text}" alt="">`;
    case 'style':
      return `<link rel="stylesheet" href="${text}">`;
    case 'word':
      return `<script>${example}</script>`;
    case 'mark':
      return example;
    default:
      return `<script src="${text}"></script>`;
  }
}

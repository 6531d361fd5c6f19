import { html, join, type Html, type HtmlValue } from '../html.ts';
import { foreignLink, link, paths } from '../links.ts';

/** A link of Markdown, and code in backticks or as the tag that ATT&CK writes. */
const MARKED = /\[([^\]]{1,200})\]\(([^\s)]{1,500})\)|<code>([^<]{1,500})<\/code>|`([^`]{1,500})`/g;
const TECHNIQUE = /\/techniques\/(?:(T\d{4})(?:\/(\d{3}))?|(AML\.T\d{4}(?:\.\d{3})?))\/?$/;

/** Markdown of the catalogs of attacks as paragraphs: code and links stay, all else is text. Techniques lead to their pages here. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n{2,}/).filter((part) => part.trim() !== '');
  return html`${paragraphs.map(
    (part) => html`<p>${inline(part)}</p>
`,
  )}`;
}

/** The same of one line. */
export function inline(text: string): HtmlValue {
  const parts: HtmlValue[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    const [whole, label, address, code, ticked] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    parts.push(
      label !== undefined && address !== undefined ? linkTo(address, label) : html`<code>${code ?? ticked}</code>`,
    );
  }
  return join([...parts, text.slice(end)], null);
}

function linkTo(address: string, label: string): HtmlValue {
  const [, technique, sub, atlas] = TECHNIQUE.exec(address) ?? [];
  if (atlas !== undefined) return link(paths.atlas(atlas), label);
  if (technique !== undefined)
    return link(paths.technique(sub === undefined ? technique : `${technique}.${sub}`), label);
  return address.startsWith('/') ? label : foreignLink(address, label);
}

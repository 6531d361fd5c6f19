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

/** Markdown of advisories: headings, lists, fenced code and paragraphs; what they hold is as in `prose`, all else is text. */
export function markdown(text: string): Html {
  const blocks: Block[] = [];
  let isCode = false;
  /** Whether a line may belong to the block before it. */
  let isOpen = false;
  for (const line of text.split('\n')) {
    const isFence = /^ {0,3}(?:```|~~~)/.test(line);
    const kind = isFence ? 'gap' : isCode ? 'code' : kindOf(line);
    if (isFence) isCode = !isCode;
    const last = isOpen ? blocks.at(-1) : undefined;
    isOpen = kind !== 'gap';
    if (kind === 'gap') continue;
    if (kind === 'text' && last?.kind === 'item') last.lines.push(`${last.lines.pop()} ${line.trim()}`);
    else if (kind !== 'heading' && kind === last?.kind) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  return html`${blocks.map(renderBlock)}`;
}

interface Block {
  readonly kind: 'heading' | 'item' | 'code' | 'text';
  readonly lines: string[];
}

const ITEM = /^ {0,6}(?:[-*+]|\d{1,3}[.)])\s+/;
const HEADING = /^ {0,3}#{1,6}\s+/;

function kindOf(line: string): Block['kind'] | 'gap' {
  if (line.trim() === '' || /^ {0,3}[-=*_]{3,}\s*$/.test(line)) return 'gap';
  return HEADING.test(line) ? 'heading' : ITEM.test(line) ? 'item' : 'text';
}

function renderBlock({ kind, lines }: Block): Html {
  switch (kind) {
    case 'heading':
      return html`<h3>${withoutEmphasis(lines[0]!.replace(HEADING, ''))}</h3>`;
    case 'item':
      return html`<ul>${lines.map((line) => html`<li>${withoutEmphasis(line.replace(ITEM, ''))}</li>`)}</ul>`;
    case 'code':
      return html`<pre>${lines.join('\n')}</pre>`;
    case 'text':
      return html`<p>${withoutEmphasis(lines.join('\n'))}</p>`;
  }
}

function withoutEmphasis(text: string): HtmlValue {
  return inline(text.replaceAll(/\*\*([^*\n]{1,300})\*\*/g, '$1'));
}

/** Links and code of one paragraph. */
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

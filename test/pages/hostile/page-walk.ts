import assert from 'node:assert/strict';
import { Parser } from 'htmlparser2';
import type { Reply } from '../../support/service.ts';

/** Elements that the templates of this service make; every other one has come from outside. */
const ELEMENTS = new Set(
  `a abbr article aside b blockquote body br button caption circle cite code col colgroup dd del desc details div dl dt em fieldset figcaption figure footer form g
  h1 h2 h3 h4 head header hr html i input ins kbd label legend li line link main mark meta meter nav ol optgroup option output p path
  polygon polyline pre progress rect s samp script search section select slot small span strong sub summary sup svg table tbody td
  template text textarea tfoot th thead time title tr tspan u ul use var wbr`.split(/\s+/),
);
const VOID_ELEMENTS = new Set(['br', 'col', 'hr', 'input', 'link', 'meta', 'wbr']);
/** Of SVG. */
const SELF_CLOSED = new Set(['circle', 'line', 'path', 'polygon', 'polyline', 'rect', 'use']);
const ATTRIBUTES = new Set(
  `accept accept-charset action autocapitalize autocomplete autocorrect autofocus charset checked class cols colspan content cx cy d
  datetime dir disabled download dx dy enctype enterkeyhint fill fill-opacity focusable font-size font-weight for form formaction
  formmethod headers height high hidden href id inputmode label lang list loading low max maxlength media method min minlength
  multiple name novalidate open optimum opacity pattern placeholder points preserveaspectratio property r readonly rel required role
  rows rowspan rx ry scope selected shadowrootmode size slot spellcheck src start step stroke stroke-dasharray stroke-linecap
  stroke-linejoin stroke-opacity stroke-width tabindex text-anchor title transform type value viewbox width x x1 x2 xmlns y y1 y2
  dominant-baseline vector-effect`.split(/\s+/),
);
const ADDRESSES = new Set(['href', 'src', 'action', 'formaction']);
const MISLEADING =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
/** As the brief of pages has it. */
const LARGEST_PAGE = 200 * 1024;

/** What is wrong with a page: markup, addresses, scripts or characters that its templates did not write; empty: nothing. */
export function pageFaults(text: string): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  const open: string[] = [];
  let hidden = 0;
  let closed = 0;
  const checkText = (value: string, where: string): void => {
    const found = MISLEADING.exec(value);
    if (found !== null) faults.push(`${where} has the character U+${found[0].charCodeAt(0).toString(16)}`);
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (!VOID_ELEMENTS.has(name)) open.push(name);
        if (!ELEMENTS.has(name)) faults.push(`<${name}> is no element of ours`);
        if (name === 'script' && !/^\/assets\//.test(attributes.src ?? ''))
          faults.push('a script is not one of our files');
        for (const [attribute, value] of Object.entries(attributes)) {
          if (!ATTRIBUTES.has(attribute) && !/^(?:aria|data)-[a-z-]+$/.test(attribute))
            faults.push(`<${name} ${attribute.slice(0, 40)}="${value.slice(0, 60)}"> is no attribute of ours`);
          checkText(value, `<${name} ${attribute}>`);
          if (ADDRESSES.has(attribute)) faults.push(...addressFaults(name, attribute, value));
          if (attribute === 'id' && hidden === 0 && ids.size === ids.add(value).size)
            faults.push(`two elements are "${value}"`);
        }
        if (name === 'meta' && attributes['http-equiv'] !== undefined) faults.push('<meta http-equiv>');
        // Ids in a shadow tree are its own.
        if (name === 'template') hidden++;
      },
      ontext(value) {
        checkText(value, `text in <${open.at(-1)}>`);
        if (open.at(-1) === 'script') faults.push('a script is written into the page');
      },
      onclosetag(name, isImplied) {
        if (VOID_ELEMENTS.has(name)) return;
        if (!isImplied) closed++;
        if ((isImplied && !SELF_CLOSED.has(name)) || open.at(-1) !== name)
          faults.push(`<${name}> is not closed where it should be`);
        open.pop();
        if (name === 'template') hidden--;
      },
      oncomment: (value) => void faults.push(`a comment: ${value.slice(0, 60)}`),
      onprocessinginstruction: (name) => void (name !== '!doctype' && faults.push(`<${name}>`)),
    },
    { decodeEntities: true, recognizeSelfClosing: true },
  );
  parser.end(text);
  if (open.length > 0) faults.push(`left open: ${open.join(', ')}`);
  if (text.split('</').length - 1 !== closed) faults.push('something is closed that is not open');
  if (/<\/?zq9|<(?:script|img|svg|iframe)[^>]*zq9/i.test(text)) faults.push('the payload is there as markup');
  if (!text.startsWith('<!doctype html>')) faults.push('no doctype');
  return [...new Set(faults)];
}

function addressFaults(element: string, attribute: string, value: string): string[] {
  const isOwn = /^(?:\/(?![/\\])|#|\?|$)/.test(value) && !/[\s\\]/.test(value.split(/[?#]/)[0]!);
  const isForeign = element === 'a' && attribute === 'href' && /^https?:\/\/[^/@\s]+(?:[/?#]|$)/i.test(value);
  return isOwn || isForeign ? [] : [`<${element} ${attribute}="${value.slice(0, 80)}">`];
}

/** A page that was answered in HTML, or an error that was; nothing in it is from outside but text, and its headers keep the rest out. */
export function requireCleanPage({ status, headers, text }: Reply, where: string): void {
  assert.ok(status < 500 || status === 502 || status === 504, `${where}: status ${status}: ${text.slice(0, 500)}`);
  if (status === 303) return assert.match(String(headers.location), /^\/(?![/\\])[\x21-\x7e]*$/, where);
  const type = String(headers['content-type']);
  if (!type.startsWith('text/html')) return;
  assert.deepEqual(pageFaults(text), [], where);
  assert.ok(text.length <= LARGEST_PAGE, `${where}: ${Math.round(text.length / 1024)} KB`);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/, where);
  assert.match(policy, /frame-ancestors 'none'/, where);
  assert.doesNotMatch(policy, /unsafe|\*|data:|https?:/, where);
  assert.equal(headers['x-frame-options'], 'DENY', where);
  assert.equal(headers['x-content-type-options'], 'nosniff', where);
  assert.match(String(headers['cache-control']), /no-store|private/, where);
  assert.match(String(headers.vary), /\bAccept\b(?!-)/, where);
}

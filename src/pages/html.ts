import { html as escapedTemplate, raw } from 'hono/html';

/** Markup that is safe to send: made by `html`, never from a plain string. */
export type Html = ReturnType<typeof raw>;

/** What a template takes. Strings are escaped; null, undefined and false leave nothing. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** Characters that change the direction of the text after them, or that no text needs: control characters but tab and line feed. */
const MISLEADING_CHARACTERS =
  // oxlint-disable-next-line no-control-regex -- these are the characters to remove
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A template of markup. Values are escaped for text and for quoted attributes; write attributes with double quotes, and addresses by
 * the functions of `links.ts`, because escaping does not make an address harmless.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  // Values hold no promise, so neither does the result.
  return escapedTemplate(strings, ...values.map(clean)) as Html;
}

/** Parts with something between them. */
export function join(parts: readonly HtmlValue[], separator: HtmlValue): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : [separator, part]))}`;
}

function clean(value: HtmlValue): HtmlValue {
  if (typeof value === 'string') return value.replace(MISLEADING_CHARACTERS, '');
  return isList(value) ? value.map(clean) : value;
}

function isList(value: HtmlValue): value is readonly HtmlValue[] {
  return Array.isArray(value);
}

import { createXmlParser } from '../xml.ts';

/** Bytes that mailbox providers take at most (BIMI drafts, section 5.3). */
const MAX_LOGO_BYTES = 32 * 1024;
/** Elements that SVG Tiny Portable/Secure does not have. */
const FORBIDDEN_ELEMENTS: ReadonlySet<string> = new Set(
  'script image foreignObject a animate animateTransform animateMotion animateColor set audio video handler switch style iframe'.split(
    ' ',
  ),
);
const MAX_DEPTH = 100;

/** What keeps mailbox providers from showing a logo: rules of SVG Tiny Portable/Secure (draft-svg-tiny-ps-abrotman). Empty: nothing found. */
export function checkBimiLogo(text: string, byteLength: number): string[] {
  const problems = new Set<string>();
  let root: Readonly<Record<string, string>> | null = null;
  let hasTitle = false;
  const parser = createXmlParser({
    onStart(name, attributes, depth) {
      const local = name.slice(name.indexOf(':') + 1);
      if (depth === 1) {
        root = attributes;
        if (local !== 'svg') problems.add('it is no SVG document');
      }
      if (depth > MAX_DEPTH) throw new RangeError('too deep');
      if (depth === 2 && local === 'title') hasTitle = true;
      if (FORBIDDEN_ELEMENTS.has(local)) problems.add(`it has an element that is not allowed: ${local}`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (/^on[a-z]/i.test(attribute)) problems.add('it has event handlers');
        if (/(?:^|:)href$/i.test(attribute) && !value.startsWith('#')) problems.add('it refers to other files');
      }
      return false;
    },
    onElement() {},
  });
  try {
    parser.write(text);
    parser.end();
  } catch {
    problems.add('it cannot be read');
  }
  for (const problem of rootProblems(root)) problems.add(problem);
  if (!hasTitle) problems.add('it has no title');
  if (byteLength > MAX_LOGO_BYTES) problems.add(`it has ${byteLength} bytes; mailbox providers take ${MAX_LOGO_BYTES}`);
  return [...problems];
}

function* rootProblems(root: Readonly<Record<string, string>> | null): Generator<string> {
  if (root === null) return yield 'it is no SVG document';
  if (root['baseProfile'] !== 'tiny-ps') yield 'its baseProfile is not tiny-ps';
  if (root['version'] !== '1.2') yield 'its version is not 1.2';
  if ('x' in root || 'y' in root) yield 'its root has x or y';
  const [, , width = '', height = ''] = (root['viewBox'] ?? '').trim().split(/[\s,]+/);
  if (width === '' || Number(width) !== Number(height)) yield 'its viewBox is not a square';
}

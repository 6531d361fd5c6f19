import { parseCpe } from '../../analysis/cve/cpe.ts';

const MAX_LENGTH = 512;
const COMPONENTS = 11;
const UP_TO_VERSION = /^((?:(?:\\.|[^:\\])*:){5})((?:\\.|[^:\\])*)/;

/** A CPE 2.3 formatted string of one, or of a CPE 2.2 URI (`cpe:/a:…`, NISTIR 7695 section 6.1); null when it is neither. */
export function cpeName(text: string): string | null {
  const cpe = text.trim();
  if (cpe.length > MAX_LENGTH || /[\s\p{C}]/u.test(cpe)) return null;
  const name = /^cpe:\//i.test(cpe) ? fromUri(cpe.slice('cpe:/'.length)) : cpe;
  return parseCpe(name) === null ? null : name;
}

/** The version component as it is written: `*` any, `-` not applicable. */
export function versionOfCpe(cpe: string): string {
  return UP_TO_VERSION.exec(cpe)?.[2] ?? '*';
}

/** The name with another version; null stands for any. The version must be without white space. */
export function withVersion(cpe: string, version: string | null): string {
  return cpe.replace(UP_TO_VERSION, (_match, before: string) => before + (version === null ? '*' : quoted(version)));
}

/** URI components, the last of them perhaps packed: `~edition~sw_edition~target_sw~target_hw~other`. */
function fromUri(uri: string): string {
  const [part, vendor, product, version, update, edition = '', language] = uri.split(':');
  const packed = edition.startsWith('~') ? edition.slice(1).split('~') : [edition];
  const [legacy, ...extended] = packed;
  const components = [part, vendor, product, version, update, legacy, language, ...extended.slice(0, 4)];
  while (components.length < COMPONENTS) components.push('');
  return `cpe:2.3:${components.map(component).join(':')}`;
}

function component(text: string | undefined): string {
  if (text === undefined || text === '') return '*';
  if (text === '-') return text;
  return text
    .split(/(%[0-9a-f]{2})/i)
    .map((piece) => (/^%[0-9a-f]{2}$/i.test(piece) ? decoded(piece) : quoted(piece)))
    .join('');
}

/** `%01` and `%02` are the wildcards `?` and `*`; anything else is a character that has to be quoted. */
function decoded(escape: string): string {
  const code = Number.parseInt(escape.slice(1), 16);
  return code === 1 ? '?' : code === 2 ? '*' : quoted(String.fromCharCode(code));
}

function quoted(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9._-]/g, (character) => `\\${character}`);
}

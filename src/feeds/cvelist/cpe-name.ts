import { cpeUriToFormattedString, parseCpe, escapeCpeText } from '../../analysis/cve/cpe.ts';

const MAX_LENGTH = 512;
const UP_TO_VERSION = /^((?:(?:\\.|[^:\\])*:){5})((?:\\.|[^:\\])*)/;

/** A CPE 2.3 formatted string from such a string or from a CPE 2.2 URI (`cpe:/a:…`, NISTIR 7695 section 6.1); null for other texts. */
export function normalizeCpeName(text: string): string | null {
  const cpe = text.trim();
  if (cpe.length > MAX_LENGTH || /[\s\p{C}]/u.test(cpe)) return null;
  const name = /^cpe:\//i.test(cpe) ? cpeUriToFormattedString(cpe.slice('cpe:/'.length)) : cpe;
  return parseCpe(name) === null ? null : name;
}

/** The version component as written: `*` is any version, `-` not applicable. */
export function versionOfCpe(cpe: string): string {
  return UP_TO_VERSION.exec(cpe)?.[2] ?? '*';
}

/** The name with another version, which must not contain white space; null: any version. */
export function withCpeVersion(cpe: string, version: string | null): string {
  return cpe.replace(
    UP_TO_VERSION,
    (_match, before: string) => before + (version === null ? '*' : escapeCpeText(version)),
  );
}

import { withoutFinalDot } from '../domain-name.ts';

const HOST = /^(?=.{3,254}$)[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_-]{1,63})+\.?$/;

/** The host name that a text begins with, lower case and without a final dot; null if it does not begin with one. */
export function parseHostName(text: string): string | null {
  const host = text.trim().toLowerCase().split(/\s/, 1)[0]!;
  return HOST.test(host) && !/^[\d.]+$/.test(host) ? withoutFinalDot(host) : null;
}

/** The text if it is a mail address, else null. */
export function parseMailAddress(text: string): string | null {
  return /^[^\s@<>]{1,64}@[^\s@<>]{3,190}$/.exec(text.trim())?.[0] ?? null;
}

/** All host names in a text, separated by spaces, commas, semicolons or brackets. */
export function findHostNames(text: string): string[] {
  return text
    .split(/[\s,;()[\]]+/)
    .map(parseHostName)
    .filter((host) => host !== null);
}

import { cleanText } from '../display-text.ts';

const PEM_HEADER = /^-----BEGIN [A-Z0-9 ]{1,40}-----/;
const MASK = '****';

/** Enough of a secret to recognise it by, and no more: at most a fifth at its start and an eighth at its end, four characters each. */
export function maskSecret(secret: string): string {
  const header = PEM_HEADER.exec(secret);
  if (header !== null) return `${header[0]}${MASK}`;
  const start = Math.min(4, Math.floor(secret.length / 5));
  const end = Math.min(4, Math.max(0, Math.floor((secret.length - 12) / 4)), Math.floor(secret.length / 8));
  return cleanText(`${secret.slice(0, start)}${MASK}${secret.slice(secret.length - end)}`);
}

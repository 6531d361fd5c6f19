const MAX_LENGTH = 2048;
const ADDRESS = /^(?:https?|ftp):\/\/[^\s\p{C}]+$/iu;

/** The address when it is an http, https or ftp one of sensible length, without anything that cannot be seen; else null. */
export function webAddress(text: string): string | null {
  const trimmed = text.trim();
  const address = trimmed.replaceAll(' ', '%20');
  if (address.length > MAX_LENGTH || !ADDRESS.test(address)) return null;
  return address === trimmed || URL.canParse(address) ? address : null;
}

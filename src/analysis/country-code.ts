/** ISO 3166-1 alpha-2 in upper case; null for what has not its form. */
export function parseCountryCode(text: string | null | undefined): string | null {
  return /^[A-Za-z]{2}$/.test(text ?? '') ? text!.toUpperCase() : null;
}

/** An ISO 3166-1 alpha-2 code in upper case; null: not two letters. */
export function parseCountryCode(text: string | null | undefined): string | null {
  return /^[A-Za-z]{2}$/.test(text ?? '') ? text!.toUpperCase() : null;
}

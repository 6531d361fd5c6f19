/** The bytes of base64 or base64url as Latin-1 text, padding optional; null: not base64. */
export function decodeBase64Text(text: string): string | null {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return null;
  }
}

/** The JSON object in a base64 text; null: not base64 or not an object. */
export function decodeBase64Json(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(decodeBase64Text(text) ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

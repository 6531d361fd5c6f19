/** A request of the fuzzer. Everything about it follows from seed and number, so that it can be sent again. */

export interface FuzzRequest {
  surface: 'rest' | 'mcp';
  /** The operation that it is about, where it names one. */
  operation: string | null;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Base64, because not every body is text. */
  body?: string;
}

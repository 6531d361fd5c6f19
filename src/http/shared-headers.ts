/** Headers of a response that are those of one request, or of one answer. */
const OWN_HEADERS = /^(x-request-id|etag|content-encoding|content-length|x-ratelimit-.*)$/;
/** Of a response with a body. */
const CONTENT_HEADERS = /^content-/;

/** Headers that all responses of a route have, taken from one of the framework's, not written a second time. */
export class SharedHeaders {
  readonly #full: readonly (readonly [name: string, value: string])[];
  readonly #lines: string;
  readonly #linesWithoutContent: string;

  /** `headers`: of a response with status 200. */
  constructor(headers: Readonly<Record<string, unknown>>) {
    const entries = Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name));
    this.#full = entries.map(([name, value]) => [name, String(value)]);
    this.#lines = toLines(this.#full);
    this.#linesWithoutContent = toLines(withoutContent(this.#full));
  }

  /** Names and values in turn. */
  list(status: 200 | 304): string[] {
    return (status === 200 ? this.#full : withoutContent(this.#full)).flat();
  }

  /** Lines of a response head. */
  lines(status: 200 | 304): string {
    return status === 200 ? this.#lines : this.#linesWithoutContent;
  }
}

function withoutContent<T extends readonly [name: string, value: string]>(entries: readonly T[]): T[] {
  return entries.filter(([name]) => !CONTENT_HEADERS.test(name));
}

function toLines(entries: readonly (readonly [name: string, value: string])[]): string {
  return entries.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

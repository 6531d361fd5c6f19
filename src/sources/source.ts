/**
 * A live source: asked over the network when an answer needs it. `policy` is its row in the table of sources
 * (`registry.ts`); `request` and `read` are all that it takes beside.
 */
export interface SourcePolicy {
  /** Also its name in `SEXTANT_SOURCE_<ID>_URL`, in `/v1/status` and in verdicts. */
  readonly id: string;
  readonly title: string;
  readonly provides: string;
  /** Default address, ending with `/`. */
  readonly address: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** How long an answer may be given again. */
  readonly ttlSeconds: number;
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Configuration that holds its key; `needed`: without the key it is not asked at all. */
  readonly key: { variable: string; needed: boolean } | null;
}

export interface Source<Question, Found> {
  readonly policy: SourcePolicy;
  /** Path (with query) below the address, and headers; `key` is the configured key or null. */
  request(question: Question, key: string | null): { path: string; headers?: Record<string, string> };
  /** Reads an answer; throws when it is not what the source promises. */
  read(status: number, body: string, question: Question): Found;
}

/** What asking came to. */
export type Outcome<Found> =
  | { status: 'ok'; found: Found; ageSeconds: number }
  | { status: 'unavailable'; reason: string; timedOut: boolean }
  | { status: 'not_configured' };

/** One feed's address, to read files from: a folder (`file:`) or a web server. */
export interface Upstream {
  /** `folder` for `file:`, `mirror` for a web copy laid out as the folder is, `origin` for the upstream's own address. */
  readonly layout: 'folder' | 'mirror' | 'origin';
  /** A small text file; null when it does not exist. */
  text(path: string, maxBytes?: number): Promise<string | null>;
  /** A JSON answer of the upstream's API with its `Link: rel="next"` address, if any; null when it does not exist. */
  json(path: string, maxBytes?: number): Promise<{ body: unknown; next: string | null } | null>;
  /** Names of the files there that match, in order; for a web server, from its directory page. */
  list(pattern: RegExp): Promise<string[]>;
  /**
   * Bytes as transferred, to be read once; `unchanged` when `validator` still holds; `missing` when there is no such file.
   * A web server's file that breaks off is continued where it stopped, where that is possible.
   */
  open(path: string, validator: string | null): Promise<OpenResult>;
}

export type OpenResult =
  | { status: 'unchanged' }
  | { status: 'missing' }
  | { status: 'open'; bytes: AsyncIterable<Uint8Array>; size: number | null; validator: string | null };

/** A place from which files are read whose names are known. */
export interface FileUpstream {
  /** A small text file; null when it does not exist. */
  readText(path: string, maxBytes?: number): Promise<string | null>;
  /**
   * A file from byte `from` on, for a caller that knows by a checksum whether the parts belong together; null when it does not exist.
   * `from` of the result: where its bytes start, which is 0 if the server does not continue.
   */
  readFrom(path: string, from: number): Promise<{ from: number; bytes: AsyncIterable<Uint8Array> } | null>;
}

/** A place from which a feed's files are read: a folder (`file:`) or a web server. */
export interface Upstream extends FileUpstream {
  /** `folder` for `file:`, `mirror` for a web copy with the same layout, `origin` for the publisher's own address. */
  readonly layout: 'folder' | 'mirror' | 'origin';
  /** A JSON answer of the publisher's API with its `Link: rel="next"` address, if any; null when it does not exist. */
  readJson(path: string, maxBytes?: number): Promise<{ body: unknown; next: string | null } | null>;
  /** Names of the files that match, sorted; for a web server, from its directory page. */
  listFiles(pattern: RegExp): Promise<string[]>;
  /**
   * Bytes as transferred, which can be read once; `unchanged` if `validator` still matches; `missing` if there is no such file.
   * If the connection to a web server breaks, the transfer is continued where that is possible.
   */
  openFile(path: string, validator: string | null): Promise<OpenResult>;
}

export type OpenResult =
  | { status: 'unchanged' }
  | { status: 'missing' }
  | { status: 'open'; bytes: AsyncIterable<Uint8Array>; size: number | null; validator: string | null };

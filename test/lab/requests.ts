export type ServerKind = 'dns' | 'http' | 'https' | 'whois' | 'smtp' | 'upstream';

export interface RequestRow {
  server: ServerKind;
  /** DNS: the name asked for; upstream: the source's id; else the host. */
  host: string;
  /** DNS: the type; WHOIS: the line; else the path with its query. */
  path: string;
  count: number;
}

/** Counts what reached the lab's servers. */
export class RequestLog {
  readonly #rows = new Map<string, RequestRow>();

  add(server: ServerKind, host: string, path: string): void {
    const key = JSON.stringify([server, host, path]);
    const row = this.#rows.get(key) ?? { server, host, path, count: 0 };
    row.count++;
    this.#rows.set(key, row);
  }

  /** How often a server was asked; of a host, of a path, where they are given. */
  count(server: ServerKind, host?: string, path?: string): number {
    return this.rows()
      .filter((row) => row.server === server && (host ?? row.host) === row.host && (path ?? row.path) === row.path)
      .reduce((sum, row) => sum + row.count, 0);
  }

  rows(): RequestRow[] {
    return [...this.#rows.values()];
  }

  clear(): void {
    this.#rows.clear();
  }
}

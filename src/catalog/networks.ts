import type { DatabaseSync } from 'node:sqlite';
import { ipAddressBytes, maskToPrefix, formatNetwork, parseIpNetwork } from '../analysis/ip-network.ts';
import type { BotnetServer, NetworkEntry } from '../feeds/entries.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';

/**
 * Networks of all lists, by length and prefix: whether a list holds an address is one point read for each length that there is.
 * `list` is the feed, or the feed and one of its files (`cloud/aws`).
 */
export const NETWORK_TABLE = `
  CREATE TABLE network (
    family INTEGER NOT NULL, bits INTEGER NOT NULL, prefix BLOB NOT NULL, list TEXT NOT NULL, label TEXT NOT NULL,
    region TEXT, country TEXT, server TEXT,
    PRIMARY KEY (family, bits, prefix, list, label)
  ) STRICT, WITHOUT ROWID;
`;

/** Takes a list in, in the place of what was there of it. */
export function networkLoader(db: DatabaseSync, list: string): FeedFileLoader<'network'> {
  db.prepare('DELETE FROM network WHERE list = ?').run(list);
  const insert = db.prepare(
    'INSERT OR REPLACE INTO network (family, bits, prefix, list, label, region, country, server) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    put(entries: readonly NetworkEntry[]) {
      for (const { cidr, label, region, country, server } of entries) {
        const network = parseIpNetwork(cidr);
        if (network === null) continue;
        const { family, bits, prefix } = network;
        insert.run(family, bits, prefix, list, label, region, country, server && JSON.stringify(server));
      }
    },
    finish: () => {},
  };
}

/** A row of a list whose network holds the address that was asked about. */
export interface NetworkHit extends Omit<NetworkEntry, 'server'> {
  list: string;
  server: BotnetServer | null;
}

const PREFIX_LENGTHS_QUERY = `
  WITH RECURSIVE length (bits) AS (
    SELECT min(bits) FROM network WHERE family = ?1
    UNION ALL SELECT (SELECT min(bits) FROM network WHERE family = ?1 AND bits > length.bits) FROM length WHERE bits NOT NULL
  ) SELECT bits FROM length WHERE bits NOT NULL ORDER BY bits DESC
`;

type NetworkRow = Omit<NetworkHit, 'cidr' | 'server'> & { server: string | null };

export class NetworkReader {
  readonly #db: DatabaseSync;
  readonly #byPrefix;
  readonly #prefixLengths = new Map<4 | 6, readonly number[]>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#byPrefix = db.prepare(
      'SELECT list, label, region, country, server FROM network WHERE family = ? AND bits = ? AND prefix = ?',
    );
  }

  /** All rows of all lists that hold the address, the narrowest network first. */
  findContaining(ip: string): NetworkHit[] {
    const bytes = ipAddressBytes(ip);
    if (bytes === null) return [];
    const family = bytes.length === 4 ? 4 : 6;
    return this.#prefixLengthsOf(family).flatMap((bits) => {
      const prefix = maskToPrefix(bytes, bits);
      const rows = this.#byPrefix.all(family, bits, prefix) as unknown as NetworkRow[];
      return rows.map(({ server, ...row }) => ({
        ...row,
        cidr: formatNetwork(prefix, bits),
        server: server === null ? null : (JSON.parse(server) as BotnetServer),
      }));
    });
  }

  #prefixLengthsOf(family: 4 | 6): readonly number[] {
    let known = this.#prefixLengths.get(family);
    if (known === undefined) {
      known = (this.#db.prepare(PREFIX_LENGTHS_QUERY).all(family) as { bits: number }[]).map(({ bits }) => bits);
      this.#prefixLengths.set(family, known);
    }
    return known;
  }
}

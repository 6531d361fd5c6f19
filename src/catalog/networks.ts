import type { DatabaseSync } from 'node:sqlite';
import { ipAddressBytes } from '../analysis/ip-address.ts';
import { formatNetwork, maskToPrefix } from '../analysis/ip-network.ts';
import type { BotnetServer, NetworkEntry } from '../feeds/entries.ts';

/** A row of a list whose network contains the address. */
export interface NetworkHit extends Omit<NetworkEntry, 'server'> {
  list: string;
  server: BotnetServer | null;
}

/** The prefix lengths that occur, longest first; one index lookup for each instead of a scan. */
const PREFIX_LENGTHS_QUERY = `
  WITH RECURSIVE length (bits) AS (
    SELECT min(bits) FROM network WHERE family = ?1
    UNION ALL SELECT (SELECT min(bits) FROM network WHERE family = ?1 AND bits > length.bits) FROM length WHERE bits NOT NULL
  ) SELECT bits FROM length WHERE bits NOT NULL ORDER BY bits DESC
`;

type NetworkRow = Omit<NetworkHit, 'cidr' | 'server'> & { server: string | null };

/** Finds the networks that contain an address. */
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

  /** Rows of all lists whose network contains the address, the smallest network first; [] for a text that is not an address. */
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

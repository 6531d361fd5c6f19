import type { DatabaseSync } from 'node:sqlite';
import { parseIpNetwork } from '../../analysis/ip-network.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';

/** Replaces the networks of one list. */
export function networkLoader(db: DatabaseSync, list: string): FeedFileLoader<'network'> {
  db.prepare('DELETE FROM network WHERE list = ?').run(list);
  const insert = db.prepare(
    'INSERT OR REPLACE INTO network (family, bits, prefix, list, label, region, country, server) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    put(entries) {
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

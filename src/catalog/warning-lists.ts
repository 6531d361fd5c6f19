import type { DatabaseSync } from 'node:sqlite';
import { formatNetwork, type IpNetwork, maskToPrefix, parseIpNetwork } from '../analysis/ip-network.ts';
import type { Indicator } from '../analysis/indicators/parse-indicator.ts';
import {
  isSharedSuffix,
  matchesWarningPattern,
  type Warning,
  type WarningListFacts,
  warningNamesOf,
  type WarningPattern,
  type WarningValue,
} from '../analysis/indicators/warning-list.ts';
import { ipAddressBytes } from '../analysis/ip-address.ts';
import type { FeedFileLoader } from './loaders/feed-file-loader.ts';

/** What is stored of a list. `bits`: prefix lengths of its networks, by family. */
interface StoredList extends WarningListFacts {
  readonly patterns: readonly WarningPattern[];
  readonly bits: Readonly<Record<4 | 6, readonly number[]>>;
}

/** Replaces all lists: they come in one file. */
export function createWarningListLoader(db: DatabaseSync): FeedFileLoader<'warning_list'> {
  db.exec('DELETE FROM warning_list; DELETE FROM warning_value');
  const insertList = db.prepare('INSERT INTO warning_list (number, entry) VALUES (?, ?)');
  const insertValue = db.prepare('INSERT OR IGNORE INTO warning_value (value, list) VALUES (?, ?)');
  let number = 0;
  return {
    put(entries) {
      for (const { name, description, category, as_of, values, patterns } of entries) {
        number++;
        const bits = { 4: new Set<number>(), 6: new Set<number>() };
        for (const value of values) {
          const network = value.type === 'network' ? parseIpNetwork(value.value) : null;
          if (network !== null) bits[network.family].add(network.bits);
          const key = warningKey(value, network);
          if (key !== null) insertValue.run(key, number);
        }
        const stored: StoredList = {
          name,
          description,
          category,
          as_of,
          patterns,
          bits: { 4: [...bits[4]], 6: [...bits[6]] },
        };
        insertList.run(number, JSON.stringify(stored));
      }
    },
  };
}

/** The key of a value: a name, after a dot where it stands for all below; the bytes of a hash (16, 20 or 32); prefix length and prefix of a network (5 or 17 bytes). Null: it is none of these. */
function warningKey(value: WarningValue, network: IpNetwork | null): string | Uint8Array | null {
  if (value.type === 'name') return nameKey(value.value, value.below);
  if (value.type === 'hash') return Buffer.from(value.value, 'hex');
  return network === null ? null : networkKey(network.prefix, network.bits);
}

function nameKey(name: string, below: boolean): string {
  return below ? `.${name}` : name;
}

function networkKey(prefix: Uint8Array, bits: number): Uint8Array {
  return Uint8Array.of(bits, ...prefix);
}

/** Finds the warning lists that an indicator is in: a few point reads, and the patterns of all lists one by one. */
export class WarningListReader {
  readonly #db: DatabaseSync;
  readonly #byValue;
  #lists: ReadonlyMap<number, StoredList> | null = null;
  #bits: Record<4 | 6, readonly number[]> = { 4: [], 6: [] };

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#byValue = db.prepare('SELECT list FROM warning_value WHERE value = ?');
  }

  /** Each list once, by its most exact value. A URL is looked up by its host, too. */
  find(indicator: Indicator): Warning[] {
    const lists = this.#load();
    const found = new Map<number, Warning>();
    const add = (number: number, value: string): void => {
      const { name, description, category, as_of } = lists.get(number)!;
      if (!found.has(number)) found.set(number, { name, description, category, as_of, value });
    };
    for (const { key, value, suffix } of this.#keysOf(indicator)) {
      for (const { list } of this.#byValue.all(key) as unknown as { list: number }[]) {
        // A popular site that lets others have names below it says nothing of them.
        if (!suffix || lists.get(list)!.category === 'known') add(list, value);
      }
    }
    for (const [number, { patterns }] of lists) {
      const hit = patterns.find((pattern) => matchesWarningPattern(pattern, indicator));
      if (hit !== undefined) add(number, hit.text);
    }
    return [...found.values()];
  }

  *#keysOf(indicator: Indicator): Iterable<{ key: string | Uint8Array; value: string; suffix: boolean }> {
    if (indicator.type === 'hash') {
      yield { key: Buffer.from(indicator.value, 'hex'), value: indicator.value, suffix: false };
      return;
    }
    const host = indicator.type === 'url' ? indicator.host : indicator.value;
    const address = ipAddressBytes(host);
    if (address === null) {
      for (const { name, below } of warningNamesOf(host)) {
        yield { key: nameKey(name, below), value: name, suffix: name !== host && isSharedSuffix(name) };
      }
      return;
    }
    for (const bits of this.#bits[address.length === 4 ? 4 : 6]) {
      const prefix = maskToPrefix(address, bits);
      yield { key: networkKey(prefix, bits), value: formatNetwork(prefix, bits), suffix: false };
    }
  }

  #load(): ReadonlyMap<number, StoredList> {
    if (this.#lists !== null) return this.#lists;
    const rows = this.#db.prepare('SELECT number, entry FROM warning_list ORDER BY number').all() as unknown as {
      number: number;
      entry: string;
    }[];
    const lists = new Map(rows.map(({ number, entry }) => [number, JSON.parse(entry) as StoredList]));
    const lengths = (family: 4 | 6): number[] =>
      [...new Set([...lists.values()].flatMap(({ bits }) => bits[family]))].toSorted((one, other) => other - one);
    this.#bits = { 4: lengths(4), 6: lengths(6) };
    this.#lists = lists;
    return lists;
  }
}

import { genericOrder } from './generic.ts';
import type { VersionOrder } from './version-order.ts';

/** Products whose releases have a number and a year (MOVEit Transfer 15.0.2 is 2023.0.2), by what makes the first the second. */
const YEAR_OFFSETS: Readonly<Record<string, number>> = { moveit_transfer: 2008 };
const MIN_YEAR = 1000;

/** Java 8 was 1.8.0: its names count by the second number, up to 1.9. */
const JAVA_NAMES: ReadonlySet<string> = new Set(['jdk', 'jre', 'java_se', 'openjdk', 'java']);

/** The order of a product's versions where its scheme is not known from a registry; `product` in the form of `normalizeCpeToken`. */
export function orderOfProduct(product: string): VersionOrder {
  if (JAVA_NAMES.has(product)) return JAVA_ORDER;
  const offset = YEAR_OFFSETS[product];
  return offset === undefined ? genericOrder : (ORDERS[offset] ??= inYears(offset));
}

/** One object for each, because orders are told apart by identity. */
const ORDERS: Record<number, VersionOrder> = {};

const JAVA_ORDER: VersionOrder<string[]> = {
  parse(text) {
    const parts = genericOrder.parse(text);
    return parts !== null && parts.length > 1 && parts[0] === '1' && /^[1-9]$/.test(parts[1]!) ? parts.slice(1) : parts;
  },
  compare: (a, b) => genericOrder.compare(a, b),
};

function inYears(offset: number): VersionOrder<string[]> {
  return {
    parse(text) {
      const parts = genericOrder.parse(text);
      if (parts === null) return null;
      const [major = '', ...rest] = parts;
      return Number(major) < MIN_YEAR ? [String(Number(major) + offset), ...rest] : parts;
    },
    compare: (a, b) => genericOrder.compare(a, b),
  };
}

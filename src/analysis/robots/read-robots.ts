import { decodeRobots } from './decode-robots.ts';
import { type RobotsRecord, parseRobotsRecords } from './robots-records.ts';
import { normalizePath } from './path-pattern.ts';

/** A robots.txt, read. Plain data. */
export interface Robots {
  groups: RobotsGroup[];
  /** As written, in order, each once. */
  sitemaps: string[];
  /** Preferred host name, an extension of Yandex. */
  host: string | null;
  /** The file is longer than what was read of it. */
  truncated: boolean;
}

/** Crawlers, and the rules that hold for all of them. */
export interface RobotsGroup {
  /** As written. */
  agents: string[];
  /** The product tokens in them, lower case; `*` for all. */
  tokens: string[];
  rules: RobotsRule[];
  /** For the first so many agents, those above it: an extension that RFC 9309 does not have, so it ends no list of agents. */
  crawl_delay: { seconds: number; agents: number } | null;
}

export interface RobotsRule {
  allow: boolean;
  /** As written. */
  path: string;
  /** To match paths with; may hold `*` and end with `$`. */
  pattern: string;
}

/** RFC 9309, section 2.5: at least 500 KiB have to be read. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** The agent of groups that hold for all who are not named. */
export const ANY_AGENT = '*';
const MAX_SITEMAPS = 1000;
const SECONDS_PATTERN = /^\d{1,9}(?:\.\d{1,9})?$/;

/** What stands in place of a robots.txt often enough: a page. It holds no rules. */
const HTML_START_PATTERN = /^[\uFEFF\s]{0,1000}<(?:!|\?xml|html|head|body|title|script|meta|div|p\b)/i;

/**
 * Reads a robots.txt (RFC 9309) from its bytes or text; lines that are not records are skipped, parsing never fails.
 * Beyond 500 KiB nothing is read.
 */
export function readRobots(given: Uint8Array | string): Robots {
  const size = typeof given === 'string' ? given.length : given.byteLength;
  const truncated = size > MAX_ROBOTS_BYTES;
  const kept = given.slice(0, MAX_ROBOTS_BYTES);
  const decoded = typeof kept === 'string' ? kept.replace(/^\uFEFF/, '') : decodeRobots(kept);
  // A rule that was cut in the middle would hold for more than it said.
  const text = truncated ? decoded.slice(0, endOfLastLine(decoded)) : decoded;
  const robots: Robots = { groups: [], sitemaps: [], host: null, truncated };
  return HTML_START_PATTERN.test(text) ? robots : collectRecords(parseRobotsRecords(text), robots);
}

function endOfLastLine(text: string): number {
  return Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
}

function collectRecords(records: Iterable<RobotsRecord>, robots: Robots): Robots {
  const sitemaps = new Set<string>();
  let group: RobotsGroup | null = null;
  for (const { name, value } of records) {
    if (name === 'user-agent') {
      if (group === null || group.rules.length > 0) {
        group = { agents: [], tokens: [], rules: [], crawl_delay: null };
        robots.groups.push(group);
      }
      group.agents.push(value);
      group.tokens.push(productToken(value));
    } else if (name === 'allow' || name === 'disallow') {
      // Rules before any user-agent line apply to no crawler; an empty rule only ends the list of agents.
      group?.rules.push({ allow: name === 'allow', path: value, pattern: normalizePath(value) });
    } else if (name === 'crawl-delay') {
      if (group !== null && SECONDS_PATTERN.test(value)) {
        group.crawl_delay ??= { seconds: Number(value), agents: group.agents.length };
      }
    } else if (name === 'sitemap') {
      if (value !== '' && sitemaps.size < MAX_SITEMAPS) sitemaps.add(value);
    } else if (name === 'host') robots.host ??= value === '' ? null : value;
  }
  robots.sitemaps = [...sitemaps];
  return robots;
}

/**
 * The product token that a user-agent line names, lower case; what follows it, such as a version, does not count. Digits and
 * dots are no part of one in RFC 9309, but of the names of crawlers that there are.
 */
function productToken(written: string): string {
  if (/^\*(?:\s|$)/.test(written)) return ANY_AGENT;
  return (/^[\w.-]*/.exec(written)?.[0] ?? '').toLowerCase();
}

import { decodeRobots } from './decode-robots.ts';
import { type RobotsRecord, parseRobotsRecords } from './robots-records.ts';
import { normalizePath } from './path-pattern.ts';

/** A parsed robots.txt, as plain data. */
export interface Robots {
  groups: RobotsGroup[];
  /** As written, in order, each once. */
  sitemaps: string[];
  /** Preferred host name, an extension of Yandex. */
  host: string | null;
  /** The file is longer than 500 KiB, and the rest was not read. */
  truncated: boolean;
}

/** Crawlers, and the rules for all of them. */
export interface RobotsGroup {
  /** As written. */
  agents: string[];
  /** Their product tokens, lower case; `*`: all crawlers. */
  tokens: string[];
  rules: RobotsRule[];
  /** Applies to the first `agents` agents, those before it: as an extension to RFC 9309 it does not end the list of agents. */
  crawl_delay: { seconds: number; agents: number } | null;
}

export interface RobotsRule {
  allow: boolean;
  /** As written. */
  path: string;
  /** For `matchesPathPattern`. */
  pattern: string;
}

/** The least that a parser must read (RFC 9309, section 2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** The agent of groups for all crawlers without a group of their own. */
export const ANY_AGENT = '*';
const MAX_SITEMAPS = 1000;
const SECONDS_PATTERN = /^\d{1,9}(?:\.\d{1,9})?$/;

/** Many servers send an HTML page in place of a robots.txt. */
const HTML_START_PATTERN = /^[\uFEFF\s]{0,1000}<(?:!|\?xml|html|head|body|title|script|meta|div|p\b)/i;

/** Parses a robots.txt (RFC 9309), its first 500 KiB; lines that are not records are skipped. Never throws. */
export function readRobots(file: Uint8Array | string): Robots {
  const size = typeof file === 'string' ? file.length : file.byteLength;
  const truncated = size > MAX_ROBOTS_BYTES;
  const kept = file.slice(0, MAX_ROBOTS_BYTES);
  const decoded = typeof kept === 'string' ? kept.replace(/^\uFEFF/, '') : decodeRobots(kept);
  // A truncated rule would match more paths than the whole one.
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
 * The product token of a user-agent line, lower case, without what follows it (a version). RFC 9309 does not allow digits and dots in
 * it, but names of existing crawlers have them.
 */
function productToken(written: string): string {
  if (/^\*(?:\s|$)/.test(written)) return ANY_AGENT;
  return (/^[\w.-]*/.exec(written)?.[0] ?? '').toLowerCase();
}

import { isQueryableName, type MailDns } from '../mail-dns.ts';
import { expandWithoutMessage } from './macro.ts';
import {
  MECHANISMS_NEEDING_DNS,
  isSpfRecord,
  type SpfMechanism,
  parseSpfRecord,
  type SpfQualifier,
  type SpfRecord,
  spfTerms,
  SPF_LIMITS,
} from './spf-record.ts';

/** Properties of a domain's SPF record that do not depend on a message. */
export interface SpfFacts {
  /** Null: the DNS did not answer. */
  present: boolean | null;
  /** All SPF records: more than one is an error (RFC 7208, section 3.2). */
  records: readonly string[];
  /** Terms of the first record, modifiers left out. */
  mechanisms: readonly string[];
  /** Result of the final `all` mechanism, redirects followed; null if absent, unreadable or several records exist. */
  allPolicy: SpfQualifier | null;
  /** Terms that need DNS lookups, also in includes and redirects; null: not all could be counted. */
  lookupCount: number | null;
  /** Names in `a`, `mx` and `exists` without records. */
  voids: readonly string[];
  /** Targets of includes and redirects without a valid SPF record. */
  brokenIncludes: readonly string[];
  /** Targets of includes and redirects that are part of a loop. */
  loops: readonly string[];
  syntaxError: string | null;
  usesPtr: boolean;
  /** IPv4 networks larger than a /16, IPv6 ones larger than a /32. */
  wideNetworks: readonly string[];
}

/** Limit of records read; a record with more includes exceeds the limit of ten lookups. */
const MAX_RECORDS = 30;

/** Reads the SPF record of a domain with its includes and redirects. Never rejects. */
export async function lookUpSpf(domain: string, dns: MailDns): Promise<SpfFacts> {
  const texts = await dns.txt(domain);
  const records = (texts ?? []).filter(isSpfRecord);
  const facts: SpfFacts = {
    present: texts === null ? null : records.length > 0,
    records,
    mechanisms: spfTerms(records[0] ?? '').filter((term) => !/^[a-z][a-z0-9._-]*=/i.test(term)),
    allPolicy: null,
    lookupCount: null,
    voids: [],
    brokenIncludes: [],
    loops: [],
    syntaxError: null,
    usesPtr: false,
    wideNetworks: [],
  };
  // Several records are an error; none is evaluated.
  if (records.length !== 1) return facts;
  const own = parseOrError(records[0]!);
  if (typeof own === 'string') return { ...facts, syntaxError: own };
  const tree = new SpfTree(dns);
  const allPolicy = await tree.walk(domain, own, [domain.toLowerCase()]);
  return {
    ...facts,
    allPolicy,
    lookupCount: tree.isIncomplete ? null : tree.lookupCount,
    voids: [...tree.voids],
    brokenIncludes: [...tree.brokenIncludes],
    loops: [...tree.loops],
    usesPtr: own.mechanisms.some(({ type }) => type === 'ptr'),
    wideNetworks: own.mechanisms.filter(isWide).map(({ text }) => text),
  };
}

/** The parsed record, or what is wrong with it. */
function parseOrError(record: string): SpfRecord | string {
  try {
    return parseSpfRecord(record);
  } catch (error) {
    return (error as Error).message;
  }
}

function isWide({ type, prefix4, prefix6 }: SpfMechanism): boolean {
  return (type === 'ip4' && prefix4 < 16) || (type === 'ip6' && prefix6 < 32);
}

/** A record and the records that it includes, for one walk. */
class SpfTree {
  readonly #dns: MailDns;
  readonly voids = new Set<string>();
  readonly brokenIncludes = new Set<string>();
  readonly loops = new Set<string>();
  lookupCount = 0;
  /** A record is unknown: the DNS did not answer, or its name depends on the message. */
  isIncomplete = false;
  #recordCount = 0;

  constructor(dns: MailDns) {
    this.#dns = dns;
  }

  /** The qualifier of the `all` that ends an evaluation; null: none or unknown. `path`: the including domains. */
  async walk(domain: string, record: SpfRecord, path: readonly string[]): Promise<SpfQualifier | null> {
    const end = record.mechanisms.findIndex(({ type }) => type === 'all');
    const reached = end === -1 ? record.mechanisms : record.mechanisms.slice(0, end);
    const redirect = end === -1 ? record.redirect : null;
    this.lookupCount +=
      reached.filter(({ type }) => MECHANISMS_NEEDING_DNS.has(type)).length + (redirect === null ? 0 : 1);
    const targets = reached.map((mechanism) => ({
      type: mechanism.type,
      target: mechanism.target === null ? domain : expandWithoutMessage(mechanism.target, domain),
    }));
    const next = redirect === null ? null : expandWithoutMessage(redirect, domain);
    // Without the record that replaces this one, the final `all` is unknown.
    if (redirect !== null && next === null) this.isIncomplete = true;
    const [redirected] = await Promise.all([
      this.#follow(next, path),
      ...targets.map(({ type, target }) =>
        type === 'include' ? this.#follow(target, path) : this.#recordIfVoid(type, target),
      ),
    ]);
    return end === -1 ? redirected : record.mechanisms[end]!.qualifier;
  }

  /** Walks an included record; a `target` that depends on the message (null) is not followed. */
  async #follow(target: string | null, path: readonly string[]): Promise<SpfQualifier | null> {
    if (target === null) return null;
    const name = target.toLowerCase();
    if (path.includes(name) || !isQueryableName(name)) {
      (path.includes(name) ? this.loops : this.brokenIncludes).add(name);
      return null;
    }
    if (path.length > SPF_LIMITS.lookups || ++this.#recordCount > MAX_RECORDS) return null;
    const texts = await this.#dns.txt(name);
    if (texts === null) {
      this.isIncomplete = true;
      return null;
    }
    const records = texts.filter(isSpfRecord);
    const record = records.length === 1 ? parseOrError(records[0]!) : '';
    if (typeof record === 'string') {
      this.brokenIncludes.add(name);
      return null;
    }
    return this.walk(name, record, [...path, name]);
  }

  async #recordIfVoid(type: SpfMechanism['type'], target: string | null): Promise<void> {
    if (!['a', 'mx', 'exists'].includes(type) || target === null || this.lookupCount > 2 * SPF_LIMITS.lookups) return;
    if (!isQueryableName(target) || (await this.#isVoid(type, target))) this.voids.add(target);
  }

  async #isVoid(type: SpfMechanism['type'], target: string): Promise<boolean> {
    if (type === 'mx') return (await this.#dns.mx(target))?.length === 0;
    if (type === 'exists') return (await this.#dns.a(target))?.length === 0;
    const [four, six] = await Promise.all([this.#dns.a(target), this.#dns.aaaa(target)]);
    return four?.length === 0 && six?.length === 0;
  }
}

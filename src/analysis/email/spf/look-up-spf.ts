import { isQueryableName, type MailDns } from '../mail-dns.ts';
import { expandWithoutMessage } from './macro.ts';
import { SenderCollector, type SpfSender } from './senders.ts';
import { findSendingService } from './sending-services.ts';
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
  /** Names in `mx` with more than ten mail servers, which ends the evaluation in permerror (RFC 7208, section 4.6.4). */
  crowdedMx: readonly string[];
  /** Terms of the own record, and of the one that it redirects to, that no evaluation reaches: they stand behind `all`. */
  unreachedTerms: readonly string[];
  /** Who may send, by the terms that let pass; null: unknown, or there is no record to go by. */
  senders: readonly SpfSender[] | null;
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
    crowdedMx: [],
    unreachedTerms: [],
    senders: null,
  };
  // Several records are an error; none is evaluated.
  if (records.length !== 1) return facts;
  const own = parseOrError(records[0]!);
  if (typeof own === 'string') return { ...facts, syntaxError: own };
  const tree = new SpfTree(dns);
  const allPolicy = await tree.walk(domain, own, [domain.toLowerCase()], 'own');
  return {
    ...facts,
    allPolicy,
    lookupCount: tree.isIncomplete ? null : tree.lookupCount,
    voids: [...tree.voids],
    brokenIncludes: [...tree.brokenIncludes],
    loops: [...tree.loops],
    usesPtr: own.mechanisms.some(({ type }) => type === 'ptr'),
    wideNetworks: own.mechanisms.filter(isWide).map(({ text }) => text),
    crowdedMx: [...tree.crowdedMx],
    unreachedTerms: tree.unreachedTerms,
    senders: tree.senders(),
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

/** Whose senders a record lists: those of the domain itself, term by term, or of the term that includes it; null: of nobody that passes. */
type SenderScope = 'own' | SenderCollector | null;

/** A record and the records that it includes, for one walk. */
class SpfTree {
  readonly #dns: MailDns;
  readonly voids = new Set<string>();
  readonly brokenIncludes = new Set<string>();
  readonly loops = new Set<string>();
  readonly crowdedMx = new Set<string>();
  readonly unreachedTerms: string[] = [];
  readonly #collectors: SenderCollector[] = [];
  lookupCount = 0;
  /** A record is unknown: the DNS did not answer, or its name depends on the message. */
  isIncomplete = false;
  #recordCount = 0;

  constructor(dns: MailDns) {
    this.#dns = dns;
  }

  senders(): SpfSender[] {
    return this.#collectors.map((collector) => collector.toSender());
  }

  /** The qualifier of the `all` that ends an evaluation; null: none or unknown. `path`: the including domains. */
  async walk(
    domain: string,
    record: SpfRecord,
    path: readonly string[],
    scope: SenderScope,
  ): Promise<SpfQualifier | null> {
    const end = record.mechanisms.findIndex(({ type }) => type === 'all');
    const reached = end === -1 ? record.mechanisms : record.mechanisms.slice(0, end);
    const redirect = end === -1 ? record.redirect : null;
    if (scope === 'own' && end !== -1) {
      this.unreachedTerms.push(...record.mechanisms.slice(end + 1).map(({ text }) => text));
      if (record.redirect !== null) this.unreachedTerms.push('redirect');
    }
    this.lookupCount +=
      reached.filter(({ type }) => MECHANISMS_NEEDING_DNS.has(type)).length + (redirect === null ? 0 : 1);
    const next = redirect === null ? null : expandWithoutMessage(redirect, domain);
    // Without the record that replaces this one, the final `all` is unknown.
    if (redirect !== null && next === null) this.isIncomplete = true;
    const passing = reached.map((mechanism) => this.#collectorOf(mechanism, domain, scope));
    const [redirected] = await Promise.all([
      this.#follow(next, path, scope),
      ...reached.map((mechanism, at) => this.#read(mechanism, domain, path, passing[at]!)),
    ]);
    return end === -1 ? redirected : record.mechanisms[end]!.qualifier;
  }

  /** Collects what a mechanism lets send; null: it lets nobody. */
  #collectorOf(mechanism: SpfMechanism, domain: string, scope: SenderScope): SenderCollector | null {
    if (mechanism.qualifier !== 'pass' || scope === null) return null;
    if (scope !== 'own') return scope;
    const target = targetOf(mechanism, domain);
    const service = mechanism.type === 'include' && target !== null ? findSendingService(target) : null;
    const collector = new SenderCollector(mechanism.text, service);
    this.#collectors.push(collector);
    return collector;
  }

  async #read(
    mechanism: SpfMechanism,
    domain: string,
    path: readonly string[],
    collector: SenderCollector | null,
  ): Promise<void> {
    const { type, network, prefix4, prefix6 } = mechanism;
    if (network !== null) return collector?.add(network, type === 'ip4' ? prefix4 : prefix6);
    const target = targetOf(mechanism, domain);
    if (collector !== null && (target === null || type === 'exists' || type === 'ptr')) collector.isComplete = false;
    if (type === 'include') await this.#follow(target, path, collector);
    else await this.#readHosts(mechanism, target, collector);
  }

  /** Walks an included record; a `target` that depends on the message (null) is not followed. */
  async #follow(target: string | null, path: readonly string[], scope: SenderScope): Promise<SpfQualifier | null> {
    if (target === null) return null;
    const name = target.toLowerCase();
    if (path.includes(name) || !isQueryableName(name)) {
      (path.includes(name) ? this.loops : this.brokenIncludes).add(name);
      return null;
    }
    if (path.length > SPF_LIMITS.lookups || ++this.#recordCount > MAX_RECORDS) return markIncomplete(scope);
    const texts = await this.#dns.txt(name);
    if (texts === null) {
      this.isIncomplete = true;
      return markIncomplete(scope);
    }
    const records = texts.filter(isSpfRecord);
    const record = records.length === 1 ? parseOrError(records[0]!) : '';
    if (typeof record === 'string') {
      this.brokenIncludes.add(name);
      return null;
    }
    return this.walk(name, record, [...path, name], scope);
  }

  /** The addresses of `a` and `mx`; names of these and of `exists` that lead nowhere are recorded. */
  async #readHosts(mechanism: SpfMechanism, target: string | null, collector: SenderCollector | null): Promise<void> {
    const { type } = mechanism;
    if (!['a', 'mx', 'exists'].includes(type) || target === null) return;
    if (this.lookupCount > 2 * SPF_LIMITS.lookups) return void markIncomplete(collector);
    if (!isQueryableName(target)) return void this.voids.add(target);
    if (type === 'exists') {
      if ((await this.#dns.a(target))?.length === 0) this.voids.add(target);
      return;
    }
    const hosts = type === 'mx' ? await this.#mailHosts(target) : [target];
    if (hosts === null) return void markIncomplete(collector);
    if (type === 'mx' && collector === null) return;
    const found = await Promise.all(hosts.map((host) => this.#readAddresses(host, mechanism, collector)));
    if (type === 'a' && found[0] === 0) this.voids.add(target);
  }

  /** Mail servers of a name, at most as many as an evaluation asks about; null: the DNS did not answer. */
  async #mailHosts(target: string): Promise<string[] | null> {
    const servers = await this.#dns.mx(target);
    if (servers?.length === 0) this.voids.add(target);
    if (servers !== null && servers.length > SPF_LIMITS.hosts) this.crowdedMx.add(target);
    return (
      servers?.slice(0, SPF_LIMITS.hosts).flatMap(({ exchange }) => (isQueryableName(exchange) ? exchange : [])) ?? null
    );
  }

  /** The number of addresses of a host; null: not all were answered for. */
  async #readAddresses(
    host: string,
    { prefix4, prefix6 }: SpfMechanism,
    collector: SenderCollector | null,
  ): Promise<number | null> {
    const [four, six] = await Promise.all([this.#dns.a(host), this.#dns.aaaa(host)]);
    for (const address of four ?? []) collector?.add(address, prefix4);
    for (const address of six ?? []) collector?.add(address, prefix6);
    if (four !== null && six !== null) return four.length + six.length;
    return markIncomplete(collector);
  }
}

function targetOf({ target }: SpfMechanism, domain: string): string | null {
  return target === null ? domain : expandWithoutMessage(target, domain);
}

function markIncomplete(scope: SenderScope): null {
  if (scope !== null && scope !== 'own') scope.isComplete = false;
  return null;
}

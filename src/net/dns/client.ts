import { randomInt } from 'node:crypto';
import { registrableDomain, normalizeDnsName } from '../../analysis/domain-name.ts';
import type { RequestDeadline } from '../request-deadline.ts';
import { limitTime } from '../limit-time.ts';
import { NetError } from '../net-error.ts';
import type { ConnectionLimiter } from '../connection-limiter.ts';
import type { DnsAnswer, DnsRecord } from './answer.ts';
import { decodeResponse, encodeQuery, type DnsMessage, type DnsQuery } from './message.ts';
import { isValidDnsName } from './name.ts';
import type { DnsServer } from './servers.ts';
import { queryOverTcp, queryOverUdp } from './transport.ts';

/** Limits of a chain of aliases: its length, and the number of queries. */
const MAX_ALIASES = 16;
const MAX_QUERIES = 8;
/** Queries per server before it counts as silent: UDP datagrams get lost. */
const MAX_ROUNDS = 3;
const MAX_ATTEMPT_MS = 2000;

/** Queries recursive resolvers (RFC 1035, RFC 6891, RFC 7766). */
export class DnsClient {
  readonly #servers: readonly DnsServer[];
  readonly #limiter: ConnectionLimiter;

  constructor(servers: readonly DnsServer[], limiter: ConnectionLimiter) {
    this.#servers = servers;
    this.#limiter = limiter;
  }

  /** As many queries are under way as may be: the next one waits. */
  get isBusy(): boolean {
    return this.#limiter.isFull;
  }

  /** Follows the aliases of the name, by more queries where one response does not hold the whole chain. Throws `NetError`. */
  async query(query: DnsQuery, deadline: RequestDeadline): Promise<DnsAnswer> {
    const release = await this.#limiter.acquire(registrableDomain(normalizeDnsName(query.name)), deadline);
    try {
      return await this.#queryThroughAliases(query, deadline);
    } finally {
      release();
    }
  }

  async #queryThroughAliases(query: DnsQuery, deadline: RequestDeadline): Promise<DnsAnswer> {
    const first = normalizeDnsName(query.name);
    const chain = [first];
    const answers: DnsRecord[] = [];
    let authenticated = true;
    for (let queries = 0; queries < MAX_QUERIES; queries++) {
      const name = chain.at(-1)!;
      if (!isValidDnsName(name)) {
        if (queries === 0) throw deadline.createError('no_such_name', 'not a name that the DNS can hold');
        throw deadline.createError('dns', 'an alias of a name that the DNS cannot hold');
      }
      const message = await this.#queryServers({ ...query, name }, deadline);
      answers.push(...message.answers);
      authenticated &&= message.authenticated;
      if (query.type !== 'CNAME') this.#appendAliases(chain, message, deadline);
      const end = chain.at(-1)!;
      const records = message.answers.filter((record) => record.name === end && record.type === query.type);
      // This response has no records of the last name in the chain: query that name.
      const isChainOpen = end !== name && records.length === 0 && message.rcode === 'NOERROR' && !hasSoa(message);
      if (isChainOpen) continue;
      return {
        exists: message.rcode !== 'NXDOMAIN',
        records,
        aliases: chain.slice(1),
        authenticated,
        answerSection: answers,
        authoritySection: message.authorities,
      };
    }
    throw deadline.createError('dns', `a chain of aliases that needs more than ${MAX_QUERIES} queries`);
  }

  #appendAliases(chain: string[], { answers }: DnsMessage, deadline: RequestDeadline): void {
    const aliases = new Map(answers.filter(({ type }) => type === 'CNAME').map(({ name, data }) => [name, data]));
    for (;;) {
      const target = aliases.get(chain.at(-1)!);
      if (typeof target !== 'string') return;
      if (chain.includes(target)) throw deadline.createError('dns', 'its aliases lead in a circle');
      chain.push(target);
      if (chain.length > MAX_ALIASES + 1)
        throw deadline.createError('dns', `more than ${MAX_ALIASES} aliases in a row`);
    }
  }

  /** The first usable response of any server: NOERROR or NXDOMAIN. */
  async #queryServers(query: DnsQuery, deadline: RequestDeadline): Promise<DnsMessage> {
    if (this.#servers.length === 0) throw deadline.createError('dns', 'no DNS server is configured');
    let problem = 'no DNS server answered';
    let silent = true;
    const failedServers = new Set<DnsServer>();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for (const server of this.#servers) {
        if (failedServers.has(server)) continue;
        try {
          const message = await this.#queryServer(server, query, deadline);
          if (message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN') return message;
          problem = `the DNS server answered ${message.rcode}`;
        } catch (error) {
          if (deadline.signal.aborted) throw deadline.toNetError(deadline.signal.reason);
          if (error instanceof AttemptTimeoutError) continue;
          problem = `the DNS server's answer could not be used: ${(error as Error).message}`;
        }
        silent = false;
        failedServers.add(server);
      }
      if (failedServers.size === this.#servers.length) break;
    }
    throw new NetError(silent ? 'timeout' : 'dns', `${deadline.host}: ${problem}`);
  }

  async #queryServer(server: DnsServer, query: DnsQuery, deadline: RequestDeadline): Promise<DnsMessage> {
    const message = await this.#sendQuery(query, true, deadline, (id, bytes, signal) =>
      queryOverUdp(server, id, bytes, signal),
    );
    if (message.truncated) {
      const whole = await this.#sendQuery(query, true, deadline, (id, bytes, signal) =>
        queryOverTcp(server, id, bytes, signal),
      );
      if (whole.truncated) throw new Error('truncated over TCP too');
      return whole;
    }
    if (message.rcode !== 'FORMERR' && message.rcode !== 'NOTIMP') return message;
    return this.#sendQuery(query, false, deadline, (id, bytes, signal) => queryOverUdp(server, id, bytes, signal));
  }

  async #sendQuery(
    query: DnsQuery,
    edns: boolean,
    deadline: RequestDeadline,
    send: (id: number, bytes: Buffer, signal: AbortSignal) => Promise<Buffer>,
  ): Promise<DnsMessage> {
    const id = randomInt(0x10000);
    const limit = limitTime(deadline.signal, Math.ceil(Math.min(MAX_ATTEMPT_MS, deadline.remainingMs / 2)));
    try {
      const bytes = await send(id, encodeQuery(id, query, edns), limit.signal);
      return decodeResponse(bytes, query);
    } catch (error) {
      throw limit.isOver && error === limit.signal.reason ? new AttemptTimeoutError('no answer') : error;
    } finally {
      limit.stop();
    }
  }
}

/** The timeout of one attempt. */
class AttemptTimeoutError extends Error {
  override readonly name = 'AttemptTimeoutError';
}

/** An SOA in the authority section means that the name has no such records (RFC 2308, 2.2). */
function hasSoa({ authorities }: DnsMessage): boolean {
  return authorities.some(({ type }) => type === 'SOA');
}

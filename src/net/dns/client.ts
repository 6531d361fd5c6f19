import { randomInt } from 'node:crypto';
import { registrableDomain, normalizeDnsName } from '../../analysis/domain-name.ts';
import type { RequestDeadline } from '../request-deadline.ts';
import { NetError } from '../net-error.ts';
import type { ConnectionLimiter } from '../connection-limiter.ts';
import type { DnsAnswer, DnsRecord } from './answer.ts';
import { decodeResponse, encodeQuery, type DnsMessage, type DnsQuery } from './message.ts';
import { isValidDnsName } from './name.ts';
import type { DnsServer } from './servers.ts';
import { queryOverTcp, queryOverUdp } from './transport.ts';

/** A chain of aliases may be that long, and take that many questions. */
const MAX_ALIASES = 16;
const MAX_QUERIES = 8;
/** A datagram may get lost: each server is asked that often before it counts as silent. */
const MAX_ROUNDS = 3;
const MAX_ATTEMPT_MS = 2000;

/** Asks recursive resolvers (RFC 1035, RFC 6891, RFC 7766). */
export class DnsClient {
  readonly #servers: readonly DnsServer[];

  readonly #limiter: ConnectionLimiter;

  constructor(servers: readonly DnsServer[], turns: ConnectionLimiter) {
    this.#servers = servers;
    this.#limiter = turns;
  }

  /** Throws `NetError`. The name is followed through its aliases, by more questions where one answer does not tell all. */
  async query(asked: DnsQuery, exchange: RequestDeadline): Promise<DnsAnswer> {
    const done = await this.#limiter.acquire(registrableDomain(normalizeDnsName(asked.name)), exchange);
    try {
      return await this.#queryThroughAliases(asked, exchange);
    } finally {
      done();
    }
  }

  async #queryThroughAliases(asked: DnsQuery, exchange: RequestDeadline): Promise<DnsAnswer> {
    const first = normalizeDnsName(asked.name);
    const chain = [first];
    const answers: DnsRecord[] = [];
    let authenticated = true;
    for (let questions = 0; questions < MAX_QUERIES; questions++) {
      const name = chain.at(-1)!;
      if (!isValidDnsName(name)) {
        if (questions === 0) throw exchange.createError('no_such_name', 'not a name that the DNS can hold');
        throw exchange.createError('dns', 'an alias of a name that the DNS cannot hold');
      }
      const message = await this.#queryServers({ ...asked, name }, exchange);
      answers.push(...message.answers);
      authenticated &&= message.authenticated;
      if (asked.type !== 'CNAME') this.#appendAliases(chain, message, exchange);
      const end = chain.at(-1)!;
      const records = message.answers.filter((record) => record.name === end && record.type === asked.type);
      // Where the chain leaves what the server knows, its own end has still to be asked for.
      const open = end !== name && records.length === 0 && message.rcode === 'NOERROR' && !hasSoa(message);
      if (open) continue;
      return {
        exists: message.rcode !== 'NXDOMAIN',
        records,
        aliases: chain.slice(1),
        authenticated,
        answers,
        authorities: message.authorities,
      };
    }
    throw exchange.createError('dns', `a chain of aliases that took more than ${MAX_QUERIES} questions`);
  }

  #appendAliases(chain: string[], { answers }: DnsMessage, exchange: RequestDeadline): void {
    const aliases = new Map(answers.filter(({ type }) => type === 'CNAME').map(({ name, data }) => [name, data]));
    for (;;) {
      const target = aliases.get(chain.at(-1)!);
      if (typeof target !== 'string') return;
      if (chain.includes(target)) throw exchange.createError('dns', 'its aliases lead in a circle');
      chain.push(target);
      if (chain.length > MAX_ALIASES + 1)
        throw exchange.createError('dns', `more than ${MAX_ALIASES} aliases in a row`);
    }
  }

  /** The first usable answer of any server; an answer is NOERROR or NXDOMAIN. */
  async #queryServers(question: DnsQuery, exchange: RequestDeadline): Promise<DnsMessage> {
    if (this.#servers.length === 0) throw exchange.createError('dns', 'no DNS server is configured');
    let problem = 'no DNS server answered';
    let silent = true;
    const refusing = new Set<DnsServer>();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for (const server of this.#servers) {
        if (refusing.has(server)) continue;
        try {
          const message = await this.#queryServer(server, question, exchange);
          if (message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN') return message;
          problem = `the DNS server answered ${message.rcode}`;
        } catch (error) {
          if (exchange.signal.aborted) throw exchange.toNetError(exchange.signal.reason);
          if (error instanceof AttemptTimeoutError) continue;
          problem = `the DNS server's answer could not be used: ${(error as Error).message}`;
        }
        silent = false;
        refusing.add(server);
      }
      if (refusing.size === this.#servers.length) break;
    }
    throw new NetError(silent ? 'timeout' : 'dns', `${exchange.host}: ${problem}`);
  }

  async #queryServer(server: DnsServer, question: DnsQuery, exchange: RequestDeadline): Promise<DnsMessage> {
    const message = await this.#sendQuery(question, true, exchange, (id, bytes, signal) =>
      queryOverUdp(server, id, bytes, signal),
    );
    if (message.truncated) {
      const whole = await this.#sendQuery(question, true, exchange, (id, bytes, signal) =>
        queryOverTcp(server, id, bytes, signal),
      );
      if (whole.truncated) throw new Error('cut short over TCP too');
      return whole;
    }
    if (message.rcode !== 'FORMERR' && message.rcode !== 'NOTIMP') return message;
    return this.#sendQuery(question, false, exchange, (id, bytes, signal) => queryOverUdp(server, id, bytes, signal));
  }

  async #sendQuery(
    question: DnsQuery,
    edns: boolean,
    exchange: RequestDeadline,
    ask: (id: number, bytes: Buffer, signal: AbortSignal) => Promise<Buffer>,
  ): Promise<DnsMessage> {
    const id = randomInt(0x10000);
    const own = new AbortController();
    const stop = (): void => own.abort(exchange.signal.reason);
    const wait = Math.min(MAX_ATTEMPT_MS, exchange.remainingMs / 2);
    const late = setTimeout(() => own.abort(new AttemptTimeoutError('no answer')), wait);
    exchange.signal.addEventListener('abort', stop, { once: true });
    if (exchange.signal.aborted) stop();
    try {
      return decodeResponse(await ask(id, encodeQuery(id, question, edns), own.signal), question);
    } finally {
      clearTimeout(late);
      exchange.signal.removeEventListener('abort', stop);
    }
  }
}

/** One wait of several is over. */
class AttemptTimeoutError extends Error {
  override readonly name = 'Late';
}

/** An SOA in the authority section says that the name has no such records (RFC 2308, 2.2). */
function hasSoa({ authorities }: DnsMessage): boolean {
  return authorities.some(({ type }) => type === 'SOA');
}

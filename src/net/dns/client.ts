import { randomInt } from 'node:crypto';
import { registrableDomain } from '../../analysis/domain-name.ts';
import type { Exchange } from '../exchange.ts';
import { NetError } from '../net-error.ts';
import type { Turns } from '../turns.ts';
import type { DnsAnswer, DnsRecord } from './answer.ts';
import { decodeAnswer, encodeQuestion, type Message, type Question } from './message.ts';
import { isWireName, normalName } from './name.ts';
import type { DnsServer } from './servers.ts';
import { askOverTcp, askOverUdp } from './transport.ts';

/** A chain of aliases may be that long, and take that many questions. */
const MAX_ALIASES = 16;
const MAX_QUESTIONS = 8;
/** A datagram may get lost: each server is asked that often before it counts as silent. */
const ROUNDS = 3;
const MAX_WAIT_MS = 2000;

/** Asks recursive resolvers (RFC 1035, RFC 6891, RFC 7766). */
export class DnsClient {
  readonly #servers: readonly DnsServer[];

  readonly #turns: Turns;

  constructor(servers: readonly DnsServer[], turns: Turns) {
    this.#servers = servers;
    this.#turns = turns;
  }

  /** Throws `NetError`. The name is followed through its aliases, by more questions where one answer does not tell all. */
  async query(asked: Question, exchange: Exchange): Promise<DnsAnswer> {
    const done = await this.#turns.take(registrableDomain(normalName(asked.name)), exchange);
    try {
      return await this.#follow(asked, exchange);
    } finally {
      done();
    }
  }

  async #follow(asked: Question, exchange: Exchange): Promise<DnsAnswer> {
    const first = normalName(asked.name);
    const chain = [first];
    const answers: DnsRecord[] = [];
    let authenticated = true;
    for (let questions = 0; questions < MAX_QUESTIONS; questions++) {
      const name = chain.at(-1)!;
      if (!isWireName(name)) {
        if (questions === 0) throw exchange.error('no_such_name', 'not a name that the DNS can hold');
        throw exchange.error('dns', 'an alias of a name that the DNS cannot hold');
      }
      const message = await this.#ask({ ...asked, name }, exchange);
      answers.push(...message.answers);
      authenticated &&= message.authenticated;
      if (asked.type !== 'CNAME') this.#followAliases(chain, message, exchange);
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
    throw exchange.error('dns', `a chain of aliases that took more than ${MAX_QUESTIONS} questions`);
  }

  #followAliases(chain: string[], { answers }: Message, exchange: Exchange): void {
    const aliases = new Map(answers.filter(({ type }) => type === 'CNAME').map(({ name, data }) => [name, data]));
    for (;;) {
      const target = aliases.get(chain.at(-1)!);
      if (typeof target !== 'string') return;
      if (chain.includes(target)) throw exchange.error('dns', 'its aliases lead in a circle');
      chain.push(target);
      if (chain.length > MAX_ALIASES + 1) throw exchange.error('dns', `more than ${MAX_ALIASES} aliases in a row`);
    }
  }

  /** The first usable answer of any server; an answer is NOERROR or NXDOMAIN. */
  async #ask(question: Question, exchange: Exchange): Promise<Message> {
    if (this.#servers.length === 0) throw exchange.error('dns', 'no DNS server is configured');
    let problem = 'no DNS server answered';
    let silent = true;
    const refusing = new Set<DnsServer>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of this.#servers) {
        if (refusing.has(server)) continue;
        try {
          const message = await this.#askServer(server, question, exchange);
          if (message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN') return message;
          problem = `the DNS server answered ${message.rcode}`;
        } catch (error) {
          if (exchange.signal.aborted) throw exchange.failure(exchange.signal.reason);
          if (error instanceof Late) continue;
          problem = `the DNS server's answer could not be used: ${(error as Error).message}`;
        }
        silent = false;
        refusing.add(server);
      }
      if (refusing.size === this.#servers.length) break;
    }
    throw new NetError(silent ? 'timeout' : 'dns', `${exchange.host}: ${problem}`);
  }

  async #askServer(server: DnsServer, question: Question, exchange: Exchange): Promise<Message> {
    const message = await this.#attempt(question, true, exchange, (id, bytes, signal) =>
      askOverUdp(server, id, bytes, signal),
    );
    if (message.truncated) {
      const whole = await this.#attempt(question, true, exchange, (id, bytes, signal) =>
        askOverTcp(server, id, bytes, signal),
      );
      if (whole.truncated) throw new Error('cut short over TCP too');
      return whole;
    }
    if (message.rcode !== 'FORMERR' && message.rcode !== 'NOTIMP') return message;
    return this.#attempt(question, false, exchange, (id, bytes, signal) => askOverUdp(server, id, bytes, signal));
  }

  async #attempt(
    question: Question,
    edns: boolean,
    exchange: Exchange,
    ask: (id: number, bytes: Buffer, signal: AbortSignal) => Promise<Buffer>,
  ): Promise<Message> {
    const id = randomInt(0x10000);
    const own = new AbortController();
    const stop = (): void => own.abort(exchange.signal.reason);
    const wait = Math.min(MAX_WAIT_MS, exchange.leftMs / 2);
    const late = setTimeout(() => own.abort(new Late('no answer')), wait);
    exchange.signal.addEventListener('abort', stop, { once: true });
    if (exchange.signal.aborted) stop();
    try {
      return decodeAnswer(await ask(id, encodeQuestion(id, question, edns), own.signal), question);
    } finally {
      clearTimeout(late);
      exchange.signal.removeEventListener('abort', stop);
    }
  }
}

/** One wait of several is over. */
class Late extends Error {
  override readonly name = 'Late';
}

/** An SOA in the authority section says that the name has no such records (RFC 2308, 2.2). */
function hasSoa({ authorities }: Message): boolean {
  return authorities.some(({ type }) => type === 'SOA');
}

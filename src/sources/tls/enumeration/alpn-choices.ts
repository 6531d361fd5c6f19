import type { ClientHelloOptions } from '../../../net/tls/client-hello.ts';
import type { ServerFlight } from '../../../net/tls/server-flight.ts';
import { ALPN_CANDIDATES } from './candidates.ts';

const NO_APPLICATION_PROTOCOL_ALERT = 120;

/** Protocols of ALPN, learned beside something else: each ClientHello offers those that are left, and the server chooses one. */
export class AlpnChoices {
  readonly #found: string[] = [];
  readonly #version: ClientHelloOptions['version'];
  #left: readonly string[] = ALPN_CANDIDATES;
  #isDone = false;

  /** `version`: the only one that is asked, because the choice does not depend on it. */
  constructor(version: ClientHelloOptions['version']) {
    this.#version = version;
  }

  /** In the order in which the server chose; null: not known whether these are all. */
  get protocols(): readonly string[] | null {
    return this.#isDone ? this.#found : null;
  }

  offer(version: ClientHelloOptions['version']): readonly string[] {
    return version === this.#version && !this.#isDone ? this.#left : [];
  }

  /** `ask again`: the flight says nothing but that none of the protocols is spoken. */
  learn(
    version: ClientHelloOptions['version'],
    offered: readonly string[],
    { hello, alert }: ServerFlight,
  ): 'ask again' | null {
    if (version !== this.#version || offered.length === 0 || this.#isDone) return null;
    if (alert === NO_APPLICATION_PROTOCOL_ALERT) {
      this.#isDone = true;
      return 'ask again';
    }
    if (hello === null) return null;
    if (hello.alpn === null) this.#isDone = true;
    else if (this.#left.includes(hello.alpn)) {
      this.#found.push(hello.alpn);
      this.#left = this.#left.filter((name) => name !== hello.alpn);
      if (this.#left.length === 0) this.#isDone = true;
    }
    return null;
  }
}

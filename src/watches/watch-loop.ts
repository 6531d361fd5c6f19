import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../errors.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { KEPT_DAYS } from '../engine/watch-book.ts';
import type { DeliveryQueue } from './delivery/delivery-queue.ts';
import { DeliveryWorker } from './delivery/delivery-worker.ts';
import type { MailSender } from './delivery/mail-sender.ts';
import { sendDelivery } from './delivery/send-delivery.ts';
import { examineDue } from './matching/examine-due.ts';
import { matchChanges, type MatchResult } from './matching/match-changes.ts';
import { matchPeriod } from './matching/match-period.ts';
import type { MatchingDeps } from './matching/matching-deps.ts';
import type { WatchStore } from './store/create-watch-store.ts';

const MATCH_INTERVAL_MS = 1000;
const MATCHING_LEASE_MS = 60_000;
const EXAMINE_INTERVAL_MS = 10_000;
const REPLAY_INTERVAL_MS = 500;
const PURGE_INTERVAL_MS = 3_600_000;
/** After an error: what failed is tried again. */
const ERROR_PAUSE_MS = 5000;
const DAY_MS = 86_400_000;

export interface WatchLoopDeps extends Omit<MatchingDeps, 'store'> {
  store: WatchStore;
  queue: DeliveryQueue;
  net: Pick<NetworkClient, 'fetch'>;
  /** Null: no mail server is configured. */
  mail: MailSender | null;
  /** Why nothing is delivered for an owner, in words; null: it is delivered. */
  ownerProblem: (owner: string) => Promise<string | null>;
  onProblem: (problem: Error) => void;
}

/** All that is done for watches: changes are matched, subjects examined, periods replayed, messages sent, old rows deleted. */
export class WatchLoop {
  readonly #deps: WatchLoopDeps;
  readonly #worker: DeliveryWorker;
  readonly #matching: MatchingDeps;
  /** Names this process among the replicas. */
  readonly #holder = randomUUID();
  #mayMatchNow = false;
  /** Milliseconds since 1970. */
  #leaseCheckAt = 0;
  /** What the catalog was when its changes were matched. */
  #matchedOpening: string | null = null;

  constructor(deps: WatchLoopDeps) {
    const { store, queue, onProblem } = deps;
    this.#deps = deps;
    this.#matching = { ...deps, store: store.matches };
    const sender = { ...deps, deliveries: store.deliveries };
    this.#worker = new DeliveryWorker({ queue, onProblem, send: (id) => sendDelivery(id, sender) });
  }

  /** Works until the signal is aborted; what fails is reported and tried again. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#repeat(MATCH_INTERVAL_MS, signal, () => this.#match(signal)),
      this.#repeat(EXAMINE_INTERVAL_MS, signal, () => this.#examine(signal)),
      this.#repeat(REPLAY_INTERVAL_MS, signal, () => this.#replay(signal)),
      this.#repeat(PURGE_INTERVAL_MS, signal, () => this.#purge()),
      this.#worker.run(signal),
    ]);
    if (this.#mayMatchNow && this.#deps.store.isShared) await this.#deps.store.matches.holdMatching(this.#holder, 0);
  }

  /** All of it once, for a command: what is due, not what becomes due. Gives how much it was. Throws where matching fails. */
  async runOnce(signal: AbortSignal): Promise<{ changes: number; events: number; deliveries: number }> {
    const { changes, events } = await this.#match(signal);
    await this.#examine(signal);
    await this.#replay(signal);
    await this.#purge();
    return { changes, events, deliveries: await this.#worker.runOnce(signal) };
  }

  async #match(signal: AbortSignal): Promise<Pick<MatchResult, 'changes' | 'events'>> {
    const opening = this.#deps.catalog.current?.openingId ?? null;
    const mayMatch = await this.#mayMatch();
    if (!mayMatch || opening === null || opening === this.#matchedOpening) return { changes: 0, events: 0 };
    const result = await matchChanges(this.#matching, signal);
    for (const gap of result.gaps) this.#deps.onProblem(new Error(`watches: ${gap}`));
    this.#matchedOpening = opening;
    return result;
  }

  /**
   * One of the replicas matches, for replays too: each may have synced the same change at another time, and would tell it again. Another takes over
   * when this one has not held on to it for a minute.
   */
  async #mayMatch(): Promise<boolean> {
    const { store, now } = this.#deps;
    if (!store.isShared) return true;
    const nowMs = now().getTime();
    if (nowMs >= this.#leaseCheckAt) {
      this.#mayMatchNow = await store.matches.holdMatching(this.#holder, MATCHING_LEASE_MS);
      this.#leaseCheckAt = nowMs + MATCHING_LEASE_MS / 4;
    }
    return this.#mayMatchNow;
  }

  async #examine(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await examineDue(this.#matching, signal)) > 0);
  }

  async #replay(signal: AbortSignal): Promise<void> {
    const { replays } = this.#deps.store;
    while (!signal.aborted && (await this.#mayMatch())) {
      const replay = await replays.claim();
      if (replay === null) return;
      const { watch, since, until } = replay;
      try {
        await replays.complete(replay, await matchPeriod(this.#matching, watch, since, until, signal));
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'validation_error') {
          await replays.release(replay);
          throw error;
        }
        await replays.fail(replay, error.message);
      }
    }
  }

  async #purge(): Promise<void> {
    const { store, now } = this.#deps;
    await store.deliveries.purge(new Date(now().getTime() - KEPT_DAYS * DAY_MS));
  }

  async #repeat(intervalMs: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      let pauseMs = intervalMs;
      try {
        await work();
      } catch (error) {
        if (signal.aborted) return;
        this.#deps.onProblem(error as Error);
        pauseMs = ERROR_PAUSE_MS;
      }
      await pause(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

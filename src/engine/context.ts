import type { CatalogView } from '../catalog/catalog-view.ts';
import type { ExpiringStore } from '../sources/expiring-store.ts';
import type { SourceResult, Source } from '../sources/source.ts';
import type { Evidence } from './evidence.ts';
import type { ServiceState } from './service-state.ts';
import type { CallerAccount } from './caller-account.ts';

export type Ask = <Question, Found>(
  source: Source<Question, Found>,
  question: Question,
) => Promise<SourceResult<Found>>;

/** All that an operation may use. Tests give their own. */
export interface Context {
  readonly catalog: CatalogView;
  readonly evidence: Evidence;
  /** Asks a live source, bounded in time, and records the outcome as evidence. A failure of the source is a result, never thrown. */
  readonly ask: Ask;
  /**
   * Like `ask`, but does not record the outcome: the operation does (`evidence.recordOutcome`, `addGap`), because a failure may be the
   * answer.
   */
  readonly askUnrecorded: Ask;
  /** The same time for the whole answer. */
  readonly now: Date;
  readonly serviceState: ServiceState;
  /** Logs an internal error that does not end the whole call. */
  readonly reportInternalError: (error: unknown) => void;
  /** Aborted when the caller disconnects or at the deadline; it also ends `ask`. */
  readonly signal: AbortSignal;
  /** Small values that operations keep between calls until they expire: the last risk of a domain, the addresses seen. */
  readonly memory: ExpiringStore;
  /** Pseudonym of the caller, for what is remembered for the caller; `local` where the operation is not `personal`. */
  readonly callerPseudonym: string;
  /** Items of a bulk call that the caller's quota does not cover. */
  readonly skipped: readonly string[];
}

/** Context of operations about their caller. */
export interface PersonalContext extends Context {
  readonly self: CallerAccount;
}

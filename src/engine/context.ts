import type { CatalogView } from '../catalog/catalog-view.ts';
import type { ExpiringStore } from '../sources/expiring-store.ts';
import type { SourceResult, Source } from '../sources/source.ts';
import type { Evidence } from './evidence.ts';
import type { ServiceState } from './service-state.ts';
import type { CallerAccount } from './caller-account.ts';

/** All that an operation may touch. A test gives its own. */
export interface Context {
  readonly catalog: CatalogView;
  readonly evidence: Evidence;
  /** Asks a live source, bounded and recorded; never throws for what the source does. */
  readonly ask: <Question, Found>(source: Source<Question, Found>, question: Question) => Promise<SourceResult<Found>>;
  /** The same, without a record: for a failure that may be an answer. Who asks records it: `evidence.outcome`, or in other words. */
  askUnrecorded<Question, Found>(source: Source<Question, Found>, question: Question): Promise<SourceResult<Found>>;
  /** One moment for the whole answer. */
  readonly now: Date;
  readonly serviceState: ServiceState;
  /** Takes note of a fault of ours that does not end the whole call. */
  readonly reportInternalError: (error: unknown) => void;
  /** The caller is gone, or the time for the answer is over (`deadlineMs` of the operation): `ask` ends by it too. */
  readonly signal: AbortSignal;
  readonly memory: ExpiringStore;
  /** Opaque name of the caller, for what is remembered for them alone. Known to operations that are `personal`; else `local`. */
  readonly callerPseudonym: string;
  /** Items of a bulk call that the caller's quota did not reach. */
  readonly skipped: readonly string[];
}

/** Of operations about whoever asks. */
export interface PersonalContext extends Context {
  readonly self: CallerAccount;
}

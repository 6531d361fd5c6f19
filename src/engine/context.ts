import type { CatalogView } from '../catalog/view.ts';
import type { Memory } from '../sources/memory.ts';
import type { Outcome, Source } from '../sources/source.ts';
import type { Evidence } from './evidence.ts';
import type { Health } from './service-state.ts';
import type { Self } from './self.ts';

/** All that an operation may touch. A test gives its own. */
export interface Context {
  readonly catalog: CatalogView;
  readonly evidence: Evidence;
  /** Asks a live source, bounded and recorded; never throws for what the source does. */
  ask<Question, Found>(source: Source<Question, Found>, question: Question): Promise<Outcome<Found>>;
  /** The same, without a record: for a failure that may be an answer. Who asks records it: `evidence.outcome`, or in other words. */
  attempt<Question, Found>(source: Source<Question, Found>, question: Question): Promise<Outcome<Found>>;
  /** One moment for the whole answer. */
  readonly now: Date;
  readonly health: Health;
  /** Takes note of a fault of ours that does not end the whole call. */
  readonly fault: (error: unknown) => void;
  /** The caller is gone, or the time for the answer is over (`deadlineMs` of the operation): `ask` ends by it too. */
  readonly signal: AbortSignal;
  readonly memory: Memory;
  /** Opaque name of the caller, for what is remembered for them alone. Known to operations that are `personal`; else `local`. */
  readonly callerName: string;
  /** Items of a bulk call that the caller's quota did not reach. */
  readonly skipped: readonly string[];
}

/** Of operations about whoever asks. */
export interface PersonalContext extends Context {
  readonly self: Self;
}

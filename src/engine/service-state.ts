import type { FollowStatus } from '../catalog/published/follow-state.ts';
import type { SourceHealth } from '../sources/source-requester.ts';
import type { SourcePolicy } from '../sources/source.ts';

/** State of the service for the `status` operation. */
export interface ServiceState {
  readonly version: string;
  readonly startedAt: Date;
  /** Backends that are down (`redis`, `database`); the service answers without them. */
  unavailableBackends(): string[];
  /** How a published catalog is followed; null: none is, feeds are synced here. */
  followedCatalog(): FollowStatus | null;
  /** Why an older catalog answers, as a sentence; null if nothing is wrong. */
  catalogProblem(): string | null;
  sourceHealth(policy: SourcePolicy): SourceHealth & { configured: boolean };
}

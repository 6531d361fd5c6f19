import type { SourceHealth } from '../sources/source-client.ts';
import type { SourcePolicy } from '../sources/source.ts';

/** What the service knows of itself, for the status operation. */
export interface ServiceState {
  readonly version: string;
  readonly startedAt: Date;
  /** Parts that are away at the moment (`redis`, `database`); the service answers without them. */
  unavailableBackends(): string[];
  /** What is wrong with the catalog while an older one answers, a sentence; null where nothing is. */
  catalogProblem(): string | null;
  sourceHealth(policy: SourcePolicy): SourceHealth & { configured: boolean };
}

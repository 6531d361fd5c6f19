import type { SyncEvent } from '../../catalog/sync.ts';
import type { SyncReporter } from './sync-reporter.ts';
import { SyncTally } from './sync-tally.ts';
import { syncSummaryText, outcomeText, problemLines } from './sync-texts.ts';

/** Prints a line for each event: for logs, pipes and scripts. */
export class LineSyncReporter implements SyncReporter {
  readonly #write: (line: string) => void;
  readonly #tally = new SyncTally();

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  onEvent(event: SyncEvent): void {
    const completed = this.#tally.add(event);
    if (event.type === 'feed') this.#write(`${event.feed}: reading ${event.title}`);
    else if (event.type === 'indexing') this.#write('indexing');
    else if (event.type === 'done') this.#write(syncSummaryText(this.#tally));
    if (completed === null) return;
    for (const problem of problemLines(completed)) this.#write(`${completed.feed}: refused: ${problem}`);
    this.#write(`${completed.feed}: ${outcomeText(completed)}`);
  }

  end(): void {}
}

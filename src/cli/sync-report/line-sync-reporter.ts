import type { SyncEvent } from '../../catalog/sync.ts';
import { type SyncReporter, SyncTally } from './sync-tally.ts';
import { syncSummaryText, outcomeText, problemLines } from './sync-texts.ts';

/** Writes one or more lines for each event: for logs, pipes and scripts. */
export class LineSyncReporter implements SyncReporter {
  readonly #writeLine: (line: string) => void;
  readonly #tally = new SyncTally();

  /** `writeLine` gets lines without a line end. */
  constructor(writeLine: (line: string) => void) {
    this.#writeLine = writeLine;
  }

  onEvent(event: SyncEvent): void {
    const completed = this.#tally.add(event);
    if (event.type === 'feed') this.#writeLine(`${event.feed}: reading ${event.title}`);
    else if (event.type === 'indexing') this.#writeLine('indexing');
    else if (event.type === 'done') this.#writeLine(syncSummaryText(this.#tally));
    if (completed === null) return;
    for (const problem of problemLines(completed)) this.#writeLine(`${completed.feed}: refused: ${problem}`);
    this.#writeLine(`${completed.feed}: ${outcomeText(completed)}`);
  }
}

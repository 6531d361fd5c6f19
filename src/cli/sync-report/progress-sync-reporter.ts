import { formatNumber } from '../../engine/summary.ts';
import { styleText } from 'node:util';
import type { SyncEvent } from '../../catalog/sync.ts';
import { formatBytes, truncateText, padText } from '../terminal-text.ts';
import { type FeedTally, type SyncReporter, SyncTally } from './sync-tally.ts';
import { syncSummaryText, hasSucceeded, outcomeText, problemLines } from './sync-texts.ts';

const DRAW_INTERVAL_MS = 80;
const BAR_WIDTH = 20;
const NAME_WIDTH = 10;
const DEFAULT_WIDTH = 80;
const ERASE_LINE = '\r\x1b[2K';

type FileEvent = Extract<SyncEvent, { type: 'file' }>;

/**
 * For a terminal: one line for each finished feed, and below them a line that shows the progress of the current file. `quiet`: that line
 * alone, and at the end the result if there is something new.
 */
export class ProgressSyncReporter implements SyncReporter {
  readonly #stream: NodeJS.WriteStream;
  readonly #isQuiet: boolean;
  readonly #tally = new SyncTally();
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  /** The file being read, and when its first bytes arrived. */
  #file = { name: '', sinceMs: 0 };

  constructor(stream: NodeJS.WriteStream, { quiet = false } = {}) {
    this.#stream = stream;
    this.#isQuiet = quiet;
  }

  onEvent(event: SyncEvent): void {
    const completed = this.#tally.add(event);
    if (completed !== null && !this.#isQuiet) this.#printFeed(completed);
    else if (event.type === 'feed') this.#drawLiveLine(event.feed, event.title);
    else if (event.type === 'file') this.#drawFile(event);
    else if (event.type === 'indexing') this.#drawLiveLine('index', 'being built');
    else if (event.type === 'done' && this.#isQuiet && event.result === 'unchanged') this.end();
    else if (event.type === 'done')
      this.#stream.write(`${ERASE_LINE}${this.#style('bold', syncSummaryText(this.#tally))}\n`);
  }

  end(): void {
    this.#stream.write(ERASE_LINE);
  }

  #printFeed(feed: FeedTally): void {
    const mark = hasSucceeded(feed) ? this.#style('green', '✓') : this.#style('red', '✗');
    const problems = problemLines(feed).map((problem) => `${' '.repeat(NAME_WIDTH + 3)}${this.#style('red', problem)}`);
    const lines = [`${mark} ${padText(feed.feed, NAME_WIDTH)} ${outcomeText(feed)}`, ...problems];
    this.#stream.write(`${ERASE_LINE}${lines.join('\n')}\n`);
  }

  #drawFile(event: FileEvent): void {
    const now = performance.now();
    if (this.#file.name !== event.file) this.#file = { name: event.file, sinceMs: now };
    if (now - this.#drawnAtMs < DRAW_INTERVAL_MS) return;
    this.#drawnAtMs = now;
    const seconds = (now - this.#file.sinceMs) / 1000;
    const rate = seconds > 0.5 ? `  ${formatBytes(event.bytes / seconds)}/s` : '';
    const size =
      event.size === null
        ? formatBytes(event.bytes)
        : `${progressBar(event.bytes / event.size)} ${formatBytes(event.bytes)} of ${formatBytes(event.size)}`;
    const entries = `${formatNumber(event.entries)} entries`;
    this.#drawLiveLine(event.feed, `${size}  ${entries}${rate}  ${event.file}`);
  }

  #drawLiveLine(name: string, text: string): void {
    // Some terminals do not say how wide they are.
    const textWidth = (this.#stream.columns || DEFAULT_WIDTH) - NAME_WIDTH - 4;
    const line = `${padText(name, NAME_WIDTH)} ${truncateText(text, textWidth)}`;
    this.#stream.write(`${ERASE_LINE}${this.#style('cyan', '›')} ${line}`);
  }

  #style(format: 'bold' | 'cyan' | 'green' | 'red', text: string): string {
    return styleText(format, text, { stream: this.#stream });
  }
}

function progressBar(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_WIDTH);
  return `${'━'.repeat(full)}${'─'.repeat(BAR_WIDTH - full)} ${String(Math.floor(Math.min(1, share) * 100)).padStart(3)}%`;
}

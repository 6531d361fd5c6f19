import { styleText } from 'node:util';
import type { SyncEvent } from '../../catalog/sync.ts';
import { bytesInWords, cut, pad } from '../text.ts';
import type { SyncReport } from './report.ts';
import { type FeedTally, SyncTally } from './tally.ts';
import { closingText, isGood, outcomeText, problemLines } from './words.ts';

const DRAW_EVERY_MS = 80;
const BAR_WIDTH = 20;
const NAME_WIDTH = 10;
const ERASE_LINE = '\r\x1b[2K';

type FileEvent = Extract<SyncEvent, { type: 'file' }>;

/** For a terminal: one live line for the file being read, one standing line for each feed that is done. */
export class ProgressReport implements SyncReport {
  readonly #stream: NodeJS.WriteStream;
  readonly #tally = new SyncTally();
  #drawnAt = Number.NEGATIVE_INFINITY;
  /** The file being read, and when its first bytes came. */
  #file = { name: '', since: 0 };

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  event(event: SyncEvent): void {
    const completed = this.#tally.add(event);
    if (completed !== null) this.#stand(completed);
    else if (event.type === 'feed') this.#draw(event.feed, event.title);
    else if (event.type === 'file') this.#drawFile(event);
    else if (event.type === 'indexing') this.#draw('index', 'being built');
    else if (event.type === 'done')
      this.#stream.write(`${ERASE_LINE}${styleText('bold', closingText(this.#tally), this.#styled())}\n`);
  }

  end(): void {
    this.#stream.write(ERASE_LINE);
  }

  #stand(feed: FeedTally): void {
    const mark = isGood(feed) ? styleText('green', '✓', this.#styled()) : styleText('red', '✗', this.#styled());
    const problems = problemLines(feed).map(
      (problem) => `${' '.repeat(NAME_WIDTH + 3)}${styleText('red', problem, this.#styled())}`,
    );
    const lines = [`${mark} ${pad(feed.feed, NAME_WIDTH)} ${outcomeText(feed)}`, ...problems];
    this.#stream.write(`${ERASE_LINE}${lines.join('\n')}\n`);
  }

  #drawFile(event: FileEvent): void {
    const now = performance.now();
    if (this.#file.name !== event.file) this.#file = { name: event.file, since: now };
    if (now - this.#drawnAt < DRAW_EVERY_MS) return;
    this.#drawnAt = now;
    const seconds = (now - this.#file.since) / 1000;
    const rate = seconds > 0.5 ? `  ${bytesInWords(event.bytes / seconds)}/s` : '';
    const size =
      event.size === null
        ? bytesInWords(event.bytes)
        : `${bar(event.bytes / event.size)} ${bytesInWords(event.bytes)} of ${bytesInWords(event.size)}`;
    const entries = `${event.entries.toLocaleString('en')} entries`;
    this.#draw(event.feed, `${size}  ${entries}${rate}  ${event.file}`);
  }

  #draw(name: string, text: string): void {
    const room = this.#stream.columns - NAME_WIDTH - 4;
    const line = `${pad(name, NAME_WIDTH)} ${cut(text, room)}`;
    this.#stream.write(`${ERASE_LINE}${styleText('cyan', '›', this.#styled())} ${line}`);
  }

  #styled(): { stream: NodeJS.WriteStream } {
    return { stream: this.#stream };
  }
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_WIDTH);
  return `${'━'.repeat(full)}${'─'.repeat(BAR_WIDTH - full)} ${String(Math.floor(Math.min(1, share) * 100)).padStart(3)}%`;
}

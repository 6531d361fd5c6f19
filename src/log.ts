import { type DestinationStream, destination, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';
import { logLineText } from './log-line-text.ts';

const WARN_LEVEL = 40;
const BLOCK_CHARACTERS = 64 * 1024;
/** More than a block has: the stream writes when it is told to. What it begins to write by itself while the process exits would be lost. */
const MIN_WRITE_BYTES = 4 * BLOCK_CHARACTERS;
const MAX_WRITE_BYTES = 8 * BLOCK_CHARACTERS;
const FLUSH_INTERVAL_MS = 250;

type LogConfig = Pick<Config, 'logLevel' | 'logFormat' | 'explicitVariables'>;

/** Whether the log is text for people. */
export function isTextLog({ logFormat }: Pick<Config, 'logFormat'>): boolean {
  return logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY);
}

/**
 * The log: lines on standard error, because standard output is for answers. JSON lines are written in blocks outside the request path, at
 * least every 250 ms; warnings and errors immediately.
 */
export function createLogger(config: LogConfig): Logger {
  const base = { base: null, timestamp: stdTimeFunctions.isoTime };
  if (isTextLog(config)) {
    const level = config.explicitVariables.has('SEXTANT_LOG_LEVEL') ? config.logLevel : 'warn';
    return pino(
      { ...base, level },
      { write: (line: string) => void process.stderr.write(logLineText(line, process.stderr)) },
    );
  }
  const out = new BlockStream();
  const hooks = {
    logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, rank: number): void {
      method.apply(this, args);
      if (rank >= WARN_LEVEL) out.flush();
    },
  };
  setInterval(() => out.flush(), FLUSH_INTERVAL_MS).unref();
  return pino({ ...base, level: config.logLevel, hooks }, out);
}

/** Collects lines to blocks. The stream under it would do so, too (`minLength`), but measures all that it has collected at each line. */
class BlockStream implements DestinationStream {
  readonly #out: ReturnType<typeof destination>;
  #block = '';

  constructor() {
    // Before the stream adds its own listener, which writes what it has when the process exits.
    process.on('exit', () => this.#handOver());
    this.#out = destination({ dest: 2, sync: false, minLength: MIN_WRITE_BYTES, maxWrite: MAX_WRITE_BYTES });
  }

  write(line: string): void {
    this.#block += line;
    if (this.#block.length >= BLOCK_CHARACTERS) this.flush();
  }

  /** Starts to write what is collected. */
  flush(): void {
    this.#handOver();
    this.#out.flush();
  }

  #handOver(): void {
    if (this.#block === '') return;
    const block = this.#block;
    this.#block = '';
    this.#out.write(block);
  }
}

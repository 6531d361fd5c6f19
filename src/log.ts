import { destination, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

const WARN_LEVEL = 40;
const BLOCK_BYTES = 64 * 1024;
const FLUSH_INTERVAL_MS = 250;

/**
 * The log: JSON lines on standard error, because standard output is for answers. Written in blocks outside the request path, at least
 * every 250 ms; warnings and errors immediately.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const out = destination({ dest: 2, sync: false, minLength: BLOCK_BYTES, maxWrite: 2 * BLOCK_BYTES });
  const hooks = {
    logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, rank: number): void {
      method.apply(this, args);
      if (rank >= WARN_LEVEL) out.flush();
    },
  };
  setInterval(() => out.flush(), FLUSH_INTERVAL_MS).unref();
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, hooks }, out);
}

import { destination, type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/** The log: JSON lines on standard error output, so that standard output stays for answers. Written in blocks, off the request's path. */
export function createLogger(level: Config['logLevel']): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, destination({ dest: 2, sync: false, minLength: 0 }));
}

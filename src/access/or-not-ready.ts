import { Refusal } from '../errors.ts';
import { EngineAwayError } from './counters.ts';

const TRY_AGAIN_SECONDS = 5;

/** What an engine gives; where it is away, a `Refusal` 503 `not_ready`. */
export async function orNotReady<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof EngineAwayError)) throw error;
    throw new Refusal(
      'not_ready',
      'What is remembered of callers cannot be read at the moment. Try again in a few seconds.',
      {
        retryAfterSeconds: TRY_AGAIN_SECONDS,
      },
    );
  }
}

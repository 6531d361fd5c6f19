import type { Reply } from './service.ts';

const MAX_ATTEMPTS = 5;

/** Asks again while the answer is 503 with `Retry-After`, as clients should: on a busy machine a thread may be late. */
export async function askAgain(ask: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await ask();
    if (attempt === MAX_ATTEMPTS || reply.status !== 503 || reply.headers['retry-after'] === undefined) return reply;
  }
}

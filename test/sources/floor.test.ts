import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overloadedError } from '../../src/errors.ts';
import { createCrawlGuard } from '../../src/sources/site/crawl-guard.ts';
import type { SourceResult, SourceContext } from '../../src/sources/source.ts';

const URL_OF_PAGE = new URL('https://site.example/page');

/** The floor where asking for robots.txt came to `outcome`. */
const floor = (outcome: SourceResult<never>): Promise<void> => {
  const way = { ask: async () => outcome, arrive: async () => {} } as unknown as SourceContext;
  return createCrawlGuard(way, URL_OF_PAGE.hostname)(URL_OF_PAGE);
};

const unavailable = { status: 'unavailable', reason: 'not asked', timedOut: false } as const;

test('a robots.txt that was not asked for is not said to keep crawlers out', async () => {
  await assert.rejects(floor({ ...unavailable, failure: 'not_asked' }), { name: 'NetError', code: 'busy' });
  const refusal = overloadedError();
  await assert.rejects(floor({ ...unavailable, failure: 'not_asked', refusal }), refusal);
});

test('a robots.txt that was answered with something unreadable keeps crawlers out', async () => {
  await assert.rejects(floor({ ...unavailable, failure: 'unreadable' }), { code: 'robots_txt_disallow' });
});

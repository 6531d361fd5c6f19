import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { startService } from '../support/service.ts';
import { describeWalk, evaluate } from './evaluate.ts';
import { type AgentQuestion, HELD_OUT, QUESTIONS } from './questions.ts';

const KEYS = { SEXTANT_ABUSECH_KEY: 'lab', SEXTANT_ABUSEIPDB_KEY: 'lab', SEXTANT_SHODAN_KEY: 'lab' };
const MAX_OPENING_TOKENS = 2000;

test('there are 40 questions, and none holds its own answer', () => {
  const all = [...QUESTIONS, ...HELD_OUT];
  assert.equal(new Set(all.map(({ text }) => text)).size, 40);
  for (const { text, paste, facts } of all) {
    assert.ok(facts.length > 0);
    for (const fact of facts) assert.doesNotMatch(`${text}\n${paste ?? ''}`, fact, text);
  }
});

describe('a scripted agent with 2,000 tokens to spare', async () => {
  const service = await startService(
    { after },
    {
      sources: 'lab',
      keys: KEYS,
      ...(noFeeds === false && { catalog: fullCatalog().then(({ folder }) => folder) }),
    },
  );
  service.clock.now = new Date();
  const address = await service.listen();
  for (const [which, questions, least] of [
    ['the questions', QUESTIONS, 27],
    ['the questions that were held out', HELD_OUT, 9],
  ] as const) {
    const asked: readonly AgentQuestion[] = questions.filter(({ feeds }) => feeds !== true || noFeeds === false);
    const allowed = questions.length - least;
    test(`has the facts of ${which} in reach, but for at most ${allowed}`, async (t) => {
      const { openingTokens, walks, solved } = await evaluate(address, asked);
      for (const walk of walks) t.diagnostic(describeWalk(walk));
      assert.ok(openingTokens <= MAX_OPENING_TOKENS, `${openingTokens} tokens before the first question`);
      assert.ok(solved >= asked.length - allowed, `${solved} of ${asked.length}`);
    });
  }
});

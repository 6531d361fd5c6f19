import { z } from 'zod';
import { USERNAME_PLATFORMS } from '../../sources/username-platforms.ts';
import { fillUsername, usernames } from '../../sources/usernames.ts';
import type { Context } from '../../engine/context.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { quoteInput } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';

const USERNAME_PATTERN = /^[a-z0-9._-]{3,39}$/;
const USERNAME_RULE = 'a username has 3 to 39 characters: letters a to z, digits, dot, underscore and hyphen';

export const usernameLookup = defineOperation({
  id: 'username_lookup',
  area: 'indicators',
  title: 'Username',
  description: `Whether a username is taken at ${USERNAME_PLATFORMS.length} platforms. A platform that blocks the request, or redirects elsewhere, is unknown. The same name need not be the same person.`,
  route: 'GET /v1/username/:username',
  input: z.strictObject({
    username: z
      .string()
      .meta({ description: `${USERNAME_RULE[0]?.toUpperCase()}${USERNAME_RULE.slice(1)}.`, examples: ['octocat'] }),
  }),
  output: lookupOutputSchema('UsernameRecord', {
    username: z.string(),
    found_count: z.number().int(),
    checked_count: z.number().int().meta({ description: 'Platforms that gave an answer.' }),
    results: z.array(
      z.object({
        platform: z.string(),
        url: z.string(),
        status: z.enum(['found', 'not_found', 'unknown']),
        reason: z.string().nullable(),
      }),
    ),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  }),
  cost: 1,
  examples: [{ title: 'A username', input: { username: 'octocat' } }],
  tool: {
    description:
      'On which of 16 platforms (code, social, games) a username is taken. Says which of them gave no answer.',
    openWorld: true,
  },
  falsifiableFields: ['results'],
  async answer({ username: rawUsername }, context) {
    const username = rawUsername.trim().toLowerCase();
    if (!USERNAME_PATTERN.test(username)) return invalidUsernameAnswer(rawUsername, context);
    const results = await Promise.all(USERNAME_PLATFORMS.map((platform) => askPlatform(platform, username, context)));
    const found = results.filter(({ status }) => status === 'found').map(({ platform }) => platform);
    const answeredCount = results.filter(({ status }) => status !== 'unknown').length;
    if (answeredCount === 0) context.evidence.addGap('no platform gave an answer', 'minimal');
    return {
      username,
      found_count: found.length,
      checked_count: answeredCount,
      results,
      error: null,
      summary: joinSummary(
        answeredCount === 0
          ? `Not known: no platform answered about ${username}.`
          : `${username} is taken at ${found.length} of ${formatCount(answeredCount, 'platform')} with an answer${found.length > 0 ? `: ${found.join(', ')}` : ''}.`,
        answeredCount > 0 && answeredCount < results.length && `${results.length - answeredCount} gave no answer.`,
      ),
    };
  },
});

async function askPlatform(
  { id, profileUrl }: (typeof USERNAME_PLATFORMS)[number],
  username: string,
  context: Context,
) {
  const outcome = await context.ask(usernames, { platform: id, username });
  const { status, reason } =
    outcome.status === 'ok'
      ? outcome.found
      : { status: 'unknown' as const, reason: outcome.status === 'unavailable' ? outcome.reason : null };
  if (status === 'unknown') context.evidence.recordUnavailable(id, `gave no answer: ${reason}`);
  else context.evidence.recordLiveAnswer(id, outcome.status === 'ok' ? outcome.ageSeconds : 0);
  return { platform: id, url: fillUsername(profileUrl, encodeURIComponent(username)), status, reason };
}

/** An invalid username is answered with `error` set, not with a 4xx. */
function invalidUsernameAnswer(given: string, { evidence }: Context) {
  evidence.addGap('nothing was asked: that is no username', 'minimal');
  const message = `${quoteInput(given)} is not a username: ${USERNAME_RULE}.`;
  return {
    username: quoteInput(given).slice(1, -1),
    found_count: 0,
    checked_count: 0,
    results: [],
    error: { code: 'invalid_argument', message },
    summary: joinSummary(message),
  };
}

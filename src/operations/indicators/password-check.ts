import { z } from 'zod';
import { hibp } from '../../sources/hibp.ts';
import { inputPatterns } from '../../engine/input/identifiers.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { joinSummary, formatNumber } from '../../engine/summary.ts';

const PREFIX_DIGITS = 5;

/** Normalised to upper case. Invalid input is never repeated in the error: it may be the password. */
const Sha1Field = z
  .string()
  .transform((text, context) => {
    if (/^[0-9a-f]{40}$/i.test(text)) return text.toUpperCase();
    context.addIssue({
      code: 'custom',
      message: 'That is not a SHA-1. Accepted: 40 hexadecimal digits. Never send a password itself, here or anywhere.',
    });
    return z.NEVER;
  })
  .meta({
    description: 'SHA-1 of the password, 40 hexadecimal digits.',
    examples: ['5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8'],
  });
inputPatterns.add(Sha1Field, { pattern: '^[0-9a-fA-F]{40}$' });

export const passwordCheck = defineOperation({
  id: 'password_check',
  area: 'indicators',
  title: 'Breached password',
  description:
    'How often a password, given as its SHA-1, was seen in breaches (Have I Been Pwned). Only the first five digits of the hash leave this service, and nothing of it is kept.',
  route: 'GET /v1/password/:sha1_hash',
  input: z.strictObject({ sha1_hash: Sha1Field }),
  output: lookupOutputSchema('PasswordCheck', {
    hash_prefix: z.string().meta({ description: 'The only part that was sent.' }),
    found: z.boolean().nullable(),
    breach_count: z.number().int().nullable(),
    pwned_count: z.number().int().nullable().meta({ description: 'As breach_count.' }),
  }),
  cost: 1,
  examples: [{ title: 'The hash of "password"', input: { sha1_hash: '5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8' } }],
  tool: {
    description:
      'Was a password seen in breaches, and how often: give its SHA-1, never the password. Only five digits of the hash leave the service.',
    openWorld: true,
  },
  falsifiableFields: ['found', 'breach_count'],
  async answer({ sha1_hash: hash }, context) {
    const hash_prefix = hash.slice(0, PREFIX_DIGITS);
    const outcome = await context.ask(hibp, { prefix: hash_prefix });
    const breach_count = outcome.status === 'ok' ? (outcome.found.get(hash.slice(PREFIX_DIGITS)) ?? 0) : null;
    return {
      hash_prefix,
      found: breach_count === null ? null : breach_count > 0,
      breach_count,
      pwned_count: breach_count,
      summary: joinSummary(
        breach_count === null
          ? 'Not known: Have I Been Pwned did not answer.'
          : breach_count > 0
            ? `Seen ${formatNumber(breach_count)} times in breaches: do not use it any more.`
            : 'Not seen in any breach that Have I Been Pwned knows.',
      ),
    };
  },
});

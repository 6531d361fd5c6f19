import { z } from 'zod';
import { countryName, parsePhoneFacts, countryTimeZone } from '../../analysis/phone-number.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { identifierSchema } from '../../engine/input/identifiers.ts';
import { joinSummary } from '../../engine/summary.ts';

const MAX_PHONE_CHARS = 50;

const PhoneField = identifierSchema({
  read: (text) =>
    text.length <= MAX_PHONE_CHARS && /^[-+0-9()./\s;=extEXT#*]+$/.test(text) && /\d/.test(text) ? text : null,
  name: 'phone number',
  accepted: 'a number of at most 50 characters, best in E.164 form (in an address + is written %2B)',
  example: '+14155552671',
});

export const phoneLookup = defineOperation({
  id: 'phone_lookup',
  area: 'indicators',
  title: 'Phone number',
  description:
    'Whether a phone number is valid by the numbering plan of its country, its forms, country and kind of line. The number is not called, and no carrier is asked.',
  route: 'GET /v1/phone/:number',
  input: z.strictObject({ number: PhoneField }),
  output: lookupOutputSchema('Phone', {
    valid: z.boolean(),
    number: z.string(),
    format: z.object({
      e164: z.string().nullable(),
      international: z.string().nullable(),
      national: z.string().nullable(),
    }),
    country_code: z.string().nullable().meta({ description: 'ISO 3166-1.' }),
    country_name: z.string().nullable(),
    calling_code: z.string().nullable(),
    type: z.string().nullable(),
    carrier: z.string().nullable(),
    timezone: z.string().nullable().meta({ description: 'IANA; null where the country has several.' }),
  }),
  cost: 1,
  cacheable: true,
  examples: [{ title: 'In E.164', input: { number: '+442079460958' } }],
  tool: {
    description:
      'Is a phone number valid, of which country and kind (mobile, fixed, toll-free, voip), and how is it written. Numbering plans only: no carrier, no owner.',
    openWorld: false,
  },
  falsifiableFields: ['valid', 'format', 'country_code', 'type'],
  answer({ number }, { evidence }) {
    const { valid, format, country, callingCode, type, invalidReason } = parsePhoneFacts(number);
    const name = country === null ? null : countryName(country);
    if (valid) evidence.addGap('carrier: numbers move between carriers, and no source for that is asked');
    return {
      valid,
      number,
      format: format ?? { e164: null, international: null, national: null },
      country_code: country,
      country_name: name,
      calling_code: callingCode,
      type,
      carrier: null,
      timezone: country === null ? null : countryTimeZone(country),
      summary: joinSummary(
        valid
          ? `${format!.international} is a valid number${name === null ? '' : ` of ${name}`} (${type?.replaceAll('_', ' ') ?? 'kind not known'}).`
          : `${number} is not a valid number. ${invalidReason}`,
      ),
    };
  },
});

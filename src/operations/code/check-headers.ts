import { z } from 'zod';
import { gradeHeaders } from '../../analysis/headers/grade-headers.ts';
import { suggestHeaderLines } from '../../analysis/headers/suggest-lines.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { includeField } from '../../engine/paged-list.ts';
import { headerReportFields } from '../web/lib/schemas.ts';
import { headerSummary } from '../web/lib/grade-site-headers.ts';

const MAX_HEADER_NAME_CHARS = 256;
const MAX_HEADERS = 200;
/** More than common servers and browsers accept for all headers together. */
export const MAX_TOTAL_CHARS = 128 * 1024;
const CountField = z.number().int();
const HeaderValue = z.string().max(MAX_TOTAL_CHARS);

const HeadersField = z
  .record(z.string().min(1).max(MAX_HEADER_NAME_CHARS), z.union([HeaderValue, z.array(HeaderValue).max(MAX_HEADERS)]))
  .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `at most ${MAX_HEADERS} headers are taken`)
  .refine(
    (headers) => countValueChars(headers) <= MAX_TOTAL_CHARS,
    `at most ${MAX_TOTAL_CHARS} characters are taken in all`,
  )
  .meta({ description: 'Response headers: name to value; a list where one is sent several times, as Set-Cookie.' });

function countValueChars(headers: Record<string, string | string[]>): number {
  return Object.values(headers)
    .flat()
    .reduce((sum, value) => sum + value.length, 0);
}

export const checkHeaders = defineOperation({
  id: 'check_headers',
  area: 'code',
  title: 'Response headers',
  description:
    'Judges HTTP response headers: CSP, HSTS, framing, referrer, permissions, cross-origin isolation, cookies, CORS, what headers reveal of the software. Fetches nothing; taken as sent over HTTPS.',
  route: 'POST /v1/check/headers',
  input: z.strictObject({ headers: HeadersField, ...includeField }),
  output: lookupOutputSchema('HeaderCheck', {
    ...headerReportFields,
    total: z.number().int(),
    lines_to_add: z.array(z.string()).meta({ description: 'For headers that are missing or ignored, to begin with.' }),
    by_severity: z.object({
      CRITICAL: CountField,
      HIGH: CountField,
      MEDIUM: CountField,
      LOW: CountField,
      INFO: CountField,
    }),
  }),
  cost: 1,
  examples: [
    {
      title: 'A policy that lets inline script run',
      input: {
        headers: {
          'Content-Security-Policy': "default-src 'self'; script-src 'self' 'unsafe-inline'",
          'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
          'X-Content-Type-Options': 'nosniff',
          'Set-Cookie': ['sid=1; Path=/; Secure; HttpOnly; SameSite=Lax'],
        },
      },
    },
  ],
  tool: {
    description:
      'Judge response headers that you already have, such as a configuration before it ships. For a live site use scan_headers.',
    openWorld: false,
  },
  falsifiableFields: ['headers_present', 'headers_missing', 'findings'],
  answer({ headers, include }) {
    const report = gradeHeaders(headers, {}, include === 'full');
    return { ...report, lines_to_add: suggestHeaderLines(report.findings), summary: headerSummary(report) };
  },
});

import { QUOTA_WINDOW_SECONDS } from '../access/quota-status.ts';
import { COMMON_ERRORS } from '../engine/describe-operation.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';

/** Responses in the OpenAPI document, with their headers. What many operations have is described once and referred to. */

type JsonObject = Record<string, unknown>;

/** Headers of responses, by their names in `components`. */
const HEADERS = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Tokens of the window; absent where there is no limit.' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'Tokens left; absent where there is no limit.' },
  'X-RateLimit-Reset': {
    type: 'integer',
    description: `Seconds until the window ends; ${QUOTA_WINDOW_SECONDS} where none is open; absent where there is no limit.`,
  },
  'X-RateLimit-Cost': { type: 'integer', description: 'Tokens that this request cost.' },
  'X-RateLimit-Tier': { type: 'string', description: '`keyless` or `pro`.' },
  'X-Request-ID': { type: 'string', description: 'Names the request in the log of the service.' },
  ETag: { type: 'string', description: 'Names the answer, without the age of its data; for `If-None-Match`.' },
  'Retry-After': {
    type: 'integer',
    description: 'Seconds after which it makes sense to try again; absent where that is not known.',
  },
  'RateLimit-Reset': { type: 'integer', description: 'As Retry-After, where the quota is used up.' },
  'WWW-Authenticate': { type: 'string', description: 'How to authenticate (RFC 9110, 11.6.1).' },
} as const satisfies Record<string, { type: 'integer' | 'string'; description: string }>;

/** Of every answer. */
export const ANSWER_HEADER_REFS = headerRefs(
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Cost',
  'X-RateLimit-Tier',
  'X-Request-ID',
);
/** Of answers that the client may keep. */
export const KEPT_ANSWER_HEADER_REFS = { ...ANSWER_HEADER_REFS, ...headerRefs('ETag') };

export function headerComponents(): JsonObject {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, { type, description }]) => [name, { description, schema: { type } }]),
  );
}

function headerRefs(...names: (keyof typeof HEADERS)[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The response 304, as a reference to what is added to `responses`. */
export function addUnchangedResponse(responses: JsonObject): JsonObject {
  responses['Unchanged'] ??= {
    description:
      'The answer has not changed since the client got it with the `ETag` in `If-None-Match`. Costs nothing.',
    headers: KEPT_ANSWER_HEADER_REFS,
  };
  return { $ref: '#/components/responses/Unchanged' };
}

/** Responses with errors by their status, as references to what is added to `responses`. */
export function addErrorResponses(codes: readonly ErrorCode[], responses: JsonObject): JsonObject {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const name = errorResponseName(status, ofStatus);
      responses[name] ??= errorResponse(status, ofStatus);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** `Error429` with the errors that all operations have; `Error429TargetThrottled` where there is another one. */
function errorResponseName(status: number, codes: readonly ErrorCode[]): string {
  const others = codes.filter((code) => !COMMON_ERRORS.includes(code)).join('_');
  return `Error${status}${others.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}

function errorResponse(status: number, codes: readonly ErrorCode[]): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].means}`).join(' '),
    headers: {
      ...ANSWER_HEADER_REFS,
      ...(codes.some((code) => ERRORS[code].retry) ? headerRefs('Retry-After') : {}),
      ...(codes.includes('rate_limit_exceeded') ? headerRefs('RateLimit-Reset') : {}),
      ...(status === 401 || codes.includes('insufficient_scope') ? headerRefs('WWW-Authenticate') : {}),
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

import type { ErrorCode } from '../errors.ts';
import { asksOutside, needsCredentials, type Operation } from './operation.ts';
import { parseRoute, type RestOperation } from './route.ts';

/** Errors that every operation can return. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_argument',
  'invalid_api_key',
  'expired_api_key',
  'invalid_access_token',
  'insufficient_scope',
  'origin_not_allowed',
  'not_found',
  'expectation_failed',
  'host_not_allowed',
  'validation_error',
  'rate_limit_exceeded',
  'internal_error',
  'not_ready',
  'upstream_timeout',
];
const BODY_ERRORS: readonly ErrorCode[] = ['body_too_large', 'unsupported_media_type'];
/** Errors of operations that query a target or a live source. */
const LIVE_SOURCE_ERRORS: readonly ErrorCode[] = ['robots_txt_disallow', 'target_throttled', 'upstream_error'];

/** The codes of the errors that an operation can answer with. */
export function errorCodesOf(operation: RestOperation): ErrorCode[] {
  const { route } = operation;
  return [
    ...COMMON_ERRORS,
    // A DELETE has no body of its own, and one that is sent is checked all the same.
    ...(parseRoute(route).method === 'GET' ? [] : BODY_ERRORS),
    ...(asksOutside(operation) ? LIVE_SOURCE_ERRORS : []),
    ...(needsCredentials(operation) ? (['api_key_required'] as const) : []),
  ];
}

/** `1 token`, `4 tokens`, `1 token an item`, `nothing`. */
export function costText({ cost }: Operation): string {
  if (typeof cost !== 'number') return '1 token an item';
  if (cost === 0) return 'nothing';
  return cost === 1 ? '1 token' : `${cost} tokens`;
}

/** What went wrong, as `error.code` of the service's error body. The page `/docs/errors` of a service says what each means. */
export const ERROR_CODES = [
  'invalid_argument',
  'invalid_api_key',
  'expired_api_key',
  'invalid_access_token',
  'api_key_required',
  'insufficient_scope',
  'robots_txt_disallow',
  'origin_not_allowed',
  'not_found',
  'method_not_allowed',
  'body_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'host_not_allowed',
  'validation_error',
  'rate_limit_exceeded',
  'target_throttled',
  'internal_error',
  'upstream_error',
  'not_ready',
  'upstream_timeout',
] as const;
/** A newer service may send codes that this version does not list. */
export type ErrorCode = (typeof ERROR_CODES)[number] | (string & {});

/** One broken field of the input. */
export interface ValidationIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

/** The body of every error of the service. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; retry_after_seconds?: number; docs_url?: string };
  message: string;
  detail?: ValidationIssue[];
  request_id: string;
}

/** Every error of this client is one; a call that was cancelled throws the reason of its signal, as `fetch` does. */
export abstract class SextantError extends Error {
  /** The operation that was called: `cve_lookup`. */
  readonly operation: string;

  constructor(operation: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.operation = operation;
  }
}

/** The service answered with an error; `message` is for people, `code` for programs. */
export class ApiError extends SextantError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  /** Names this request in the log of the service. */
  readonly requestId: string;
  /** When it makes sense to try again; null: the service did not say. */
  readonly retryAfterSeconds: number | null;
  /** With `validation_error`: each broken field. */
  readonly issues: readonly ValidationIssue[];

  constructor(operation: string, status: number, body: ErrorBody, retryAfterSeconds: number | null) {
    super(operation, body.error.message);
    this.status = status;
    this.code = body.error.code;
    this.requestId = body.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
    this.issues = body.detail ?? [];
  }
}

/** What came is not of this service: the page of a proxy, a wrong base URL, a body cut short. */
export class UnexpectedResponseError extends SextantError {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;

  constructor(operation: string, status: number, message: string, options?: ErrorOptions) {
    super(operation, message, options);
    this.status = status;
  }
}

/** No response: the network failed, or a browser refused to show it (CORS); `cause` is the error of `fetch`. */
export class ConnectionError extends SextantError {
  override readonly name = 'ConnectionError';
}

/** No whole response within `timeoutMs`. */
export class TimeoutError extends SextantError {
  override readonly name = 'TimeoutError';
}

/** More rows match than the service pages through: the rows before this error are not all. A narrower question has fewer. */
export class PagingLimitError extends SextantError {
  override readonly name = 'PagingLimitError';
  readonly received: number;
  readonly total: number;

  constructor(operation: string, received: number, total: number) {
    super(operation, `Only ${received} of ${total} rows can be paged through: narrow the question.`);
    this.received = received;
    this.total = total;
  }
}

/** Whether a body has the form of the service's errors. */
export function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  const { error, request_id } = body as Partial<ErrorBody>;
  return typeof error?.code === 'string' && typeof error.message === 'string' && typeof request_id === 'string';
}

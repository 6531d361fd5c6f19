/**
 * Registry of errors. Surfaces translate them (HTTP status, MCP result, exit code); no other code decides on status or retry.
 * The page `/docs/errors` shows this list.
 */
export const ERRORS = {
  invalid_argument: { status: 400, retry: false, means: 'An identifier has the wrong form, or a body is not JSON.' },
  invalid_api_key: { status: 401, retry: false, means: 'The API key is malformed or unknown.' },
  expired_api_key: { status: 401, retry: false, means: 'The API key was valid and has expired.' },
  invalid_access_token: {
    status: 401,
    retry: false,
    means:
      'The access token (a JWT) is not one of the configured issuer for this service, or not valid at this time. Only installations with an authorization server accept them.',
  },
  api_key_required: {
    status: 401,
    retry: false,
    means: 'This needs a Pro key or, where the installation accepts them, an access token.',
  },
  insufficient_scope: {
    status: 403,
    retry: false,
    means: 'The access token lacks a scope that this installation requires.',
  },
  robots_txt_disallow: {
    status: 403,
    retry: false,
    means: "The target's robots.txt keeps this service out; nothing was fetched.",
  },
  origin_not_allowed: {
    status: 403,
    retry: false,
    means: 'The request comes from a web page of another origin, which this installation does not answer.',
  },
  not_found: { status: 404, retry: false, means: 'Well-formed, but no source knows it.' },
  method_not_allowed: {
    status: 405,
    retry: false,
    means: 'The path exists under another method; see the Allow header.',
  },
  body_too_large: { status: 413, retry: false, means: 'The request body or a field of it is over its limit.' },
  unsupported_media_type: {
    status: 415,
    retry: false,
    means: 'Bodies are application/json, sent without a content coding.',
  },
  expectation_failed: { status: 417, retry: false, means: 'Of the Expect header only 100-continue is supported.' },
  host_not_allowed: {
    status: 421,
    retry: false,
    means: 'The Host header names no host of this installation.',
  },
  validation_error: {
    status: 422,
    retry: false,
    means: 'A parameter or body field breaks its schema; `detail` lists each problem.',
  },
  rate_limit_exceeded: {
    status: 429,
    retry: true,
    means:
      "The caller's hourly quota is used up, or too many requests of the address were refused within a minute; see Retry-After.",
  },
  target_throttled: {
    status: 429,
    retry: true,
    means: "This target was asked about too often just now; not the caller's quota.",
  },
  internal_error: { status: 500, retry: true, means: 'An error in the service; its log has it under the request id.' },
  upstream_error: {
    status: 502,
    retry: true,
    means: 'The target or a source that the answer cannot do without failed.',
  },
  not_ready: {
    status: 503,
    retry: true,
    means: 'The service is starting or stopping, has no catalog yet, or is too busy.',
  },
  upstream_timeout: {
    status: 504,
    retry: true,
    means: 'The target, a source or the whole answer did not come in time.',
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** `Retry-After` of errors that pass within seconds: an overload, a backend that is down. */
export const RETRY_AFTER_SECONDS = 5;

/** One broken field, in the shape of an HTTPValidationError row. */
export interface ValidationIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string; retry_after_seconds?: number; docs_url?: string };
  /** The same text as `error.message`, because clients of similar services read it here. */
  message: string;
  detail?: ValidationIssue[];
  request_id: string;
}

/** A hint to another operation: `address` is its REST route; `does` completes the sentence "<address> <does>." */
export interface OperationHint {
  operation: string;
  address: string;
  does: string;
}

export interface ApiErrorOptions {
  issues?: ValidationIssue[] | null;
  retryAfterSeconds?: number | null;
  operationHint?: OperationHint | null | undefined;
}

/** An error whose message is meant for the caller: what was wrong, what is accepted. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The message without the hint, because the name of an operation depends on the surface. */
  readonly baseMessage: string;
  readonly operationHint: OperationHint | null;
  readonly issues: ValidationIssue[] | null;
  readonly retryAfterSeconds: number | null;

  /** `message` of the error is that of REST. */
  constructor(code: ErrorCode, text: string, { issues, retryAfterSeconds, operationHint }: ApiErrorOptions = {}) {
    super(appendHint(text, operationHint, operationHint?.address));
    this.code = code;
    this.baseMessage = text;
    this.operationHint = operationHint ?? null;
    this.issues = issues ?? null;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }

  /** The message with the operation's name on another surface; without the hint where `nameOf` gives null. */
  messageFor(nameOf: (operation: string) => string | null): string {
    const { baseMessage, operationHint } = this;
    return appendHint(baseMessage, operationHint, operationHint && nameOf(operationHint.operation));
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  toBody(requestId: string, message: string = this.message): ErrorBody {
    return {
      error: {
        code: this.code,
        message,
        ...(this.retryAfterSeconds === null ? {} : { retry_after_seconds: this.retryAfterSeconds }),
        docs_url: `/docs/errors#${this.code}`,
      },
      message,
      ...(this.issues === null ? {} : { detail: this.issues }),
      request_id: requestId,
    };
  }
}

function appendHint(text: string, hint: OperationHint | null | undefined, name: string | null | undefined): string {
  return hint == null || name == null ? text : `${text} ${name} ${hint.does}.`;
}

/**
 * The caller closed the connection before the answer was ready. It is not sent; its status (499, as nginx logs it) keeps logs
 * and metrics from counting it as a failure of the service or of an upstream.
 */
export class CallerDisconnectedError extends ApiError {
  constructor() {
    super('upstream_error', 'The caller closed the connection before the answer was there.');
  }

  override get status(): number {
    return 499;
  }
}

/** `ApiError` 503 for a state that passes within seconds; `reason` is a sentence. */
export function notReadyError(reason: string): ApiError {
  return new ApiError('not_ready', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** `ApiError` 503 where a bound of this process (threads, bytes in memory, connections) is reached. */
export function overloadedError(): ApiError {
  return notReadyError('Too much is being worked on at this moment.');
}

/** Converts any thrown value. What is not an `ApiError` is an internal error, whose message may only appear in the log. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('internal_error', 'Something went wrong here. The request id finds it in the log.');
}

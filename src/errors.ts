/**
 * Every way in which the service refuses. A surface translates (HTTP status, MCP result, exit code); nobody else decides.
 * The documentation (`docs/errors.md`) is checked against this list.
 */
export const ERRORS = {
  invalid_argument: { status: 400, retry: false, means: 'An identifier has the wrong form, or a body is not JSON.' },
  invalid_api_key: { status: 401, retry: false, means: 'The API key is malformed or unknown.' },
  expired_api_key: { status: 401, retry: false, means: 'The API key was valid and has expired.' },
  api_key_required: { status: 401, retry: false, means: 'This operation needs a Pro key.' },
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
    means: 'A parameter or body field breaks its schema; `detail` lists each fault.',
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
  internal_error: { status: 500, retry: true, means: 'A fault of the service; the request id finds it in the log.' },
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

/** One broken field, in the shape of an HTTPValidationError row. */
export interface ValidationIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string; retry_after_seconds?: number; docs_url?: string };
  /** The same text as `error.message`, where clients of services of this kind read it. */
  message: string;
  detail?: ValidationIssue[];
  request_id: string;
}

/** An operation that helps the caller on: `address` as REST has it, and what it does, which ends the sentence. */
export interface OperationHint {
  operation: string;
  address: string;
  does: string;
}

/** A refusal with a message meant for the caller: what was wrong, what is accepted. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The message without the operation that helps on, whose name depends on how the caller asks. */
  readonly baseMessage: string;
  readonly operationHint: OperationHint | null;
  readonly issues: ValidationIssue[] | null;
  readonly retryAfterSeconds: number | null;

  /** `message` of the error is that of REST. */
  constructor(
    code: ErrorCode,
    text: string,
    more: { issues?: ValidationIssue[]; retryAfterSeconds?: number; operationHint?: OperationHint | undefined } = {},
  ) {
    super(appendHint(text, more.operationHint, more.operationHint?.address));
    this.code = code;
    this.baseMessage = text;
    this.operationHint = more.operationHint ?? null;
    this.issues = more.issues ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }

  /** The message where operations have other names; null of `nameOf`: it cannot be asked there. */
  messageFor(nameOf: (operation: string) => string | null): string {
    return appendHint(
      this.baseMessage,
      this.operationHint,
      this.operationHint === null ? null : nameOf(this.operationHint.operation),
    );
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

function appendHint(text: string, pointer: OperationHint | null | undefined, name: string | null | undefined): string {
  return pointer == null || name == null ? text : `${text} ${name} ${pointer.does}.`;
}

/** The refusal where a bound of this process (threads, bytes in memory, connections) is reached. */
export function overloadedError(): ApiError {
  const text = 'Too much is being worked on at this moment. Try again in a few seconds.';
  return new ApiError('not_ready', text, { retryAfterSeconds: 5 });
}

/** Any thrown value as a refusal. What is not one is a fault of ours: its text stays in the log. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('internal_error', 'Something went wrong here. The request id finds it in the log.');
}

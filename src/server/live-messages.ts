import type { Config } from '../config.ts';
import { ApiError, type ApiErrorOptions, CallerDisconnectedError, type ErrorCode } from '../errors.ts';
import type { OperationInput } from '../engine/operation.ts';
import type { SourceHealth } from '../sources/source-requester.ts';

/** Messages between a service and its live process (docs/decisions/028). `id` is that of a call, or of a visit to be counted. */
export type MessageToLive =
  | { type: 'start'; config: Config }
  | {
      type: 'call';
      id: number;
      operation: string;
      input: OperationInput;
      skipped: readonly string[];
      callerPseudonym: string | null;
      /** On the clock `machineMs`. */
      deadlineAt: number;
    }
  /** The caller has gone. */
  | { type: 'cancel'; id: number }
  | { type: 'visit_counted'; id: number; refusal: SentError | null }
  /** A newer catalog may be there. */
  | { type: 'refresh' }
  /** Tests whether the live process answers. */
  | { type: 'ping' };

export type MessageFromLive =
  | { type: 'reply'; id: number; outcome: { json: Uint8Array } | { error: SentError }; notes: SourceNotes | null }
  /** An internal error that does not end the call. */
  | { type: 'item_error'; id: number; error: SentError }
  /** Count a visit of a host against its limit. */
  | { type: 'count_visit'; id: number; host: string }
  | { type: 'notes'; notes: SourceNotes }
  | { type: 'pong' };

/** What happened at the sources since the last notes: for the metrics, and for `/v1/status`. */
export interface SourceNotes {
  readonly calls: readonly {
    source: string;
    outcome: 'ok' | 'failed' | 'timeout' | 'not_asked';
    seconds: number | null;
  }[];
  /** Ids of sources whose cached answer was given, once for each time. */
  readonly cacheHits: readonly string[];
  /** Of the sources that were called. */
  readonly health: readonly (SourceHealth & { source: string })[];
}

/** An error as fields, because a cloned error loses its class and its properties. */
export type SentError =
  | { kind: 'api'; code: ErrorCode; baseMessage: string; options: ApiErrorOptions }
  | { kind: 'disconnected' }
  | { kind: 'other'; error: unknown; properties: object };

export function toSentError(error: unknown): SentError {
  if (error instanceof CallerDisconnectedError) return { kind: 'disconnected' };
  if (error instanceof ApiError) {
    const { code, baseMessage, issues, retryAfterSeconds, operationHint } = error;
    return { kind: 'api', code, baseMessage, options: { issues, retryAfterSeconds, operationHint } };
  }
  if (!(error instanceof Error)) return { kind: 'other', error: String(error), properties: {} };
  const { name, message, stack = '' } = error;
  const { code, errno, syscall, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  // The log goes by these classes. A copy, because what else an error carries may be impossible to send.
  const ErrorClass = [TypeError, RangeError, ReferenceError].find((each) => error instanceof each) ?? Error;
  const copy = Object.assign(new ErrorClass(message), { stack });
  return { kind: 'other', error: copy, properties: { name, code, errno, syscall, errcode } };
}

export function fromSentError(sent: SentError): unknown {
  if (sent.kind === 'disconnected') return new CallerDisconnectedError();
  if (sent.kind === 'api') return new ApiError(sent.code, sent.baseMessage, sent.options);
  if (!(sent.error instanceof Error)) return sent.error;
  const properties = Object.entries(sent.properties).filter(([, value]) => value !== undefined);
  return Object.assign(sent.error, Object.fromEntries(properties));
}

/** Milliseconds on a clock that all processes of this machine share, and that nobody sets. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

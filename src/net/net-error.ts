export type NetErrorCode =
  | 'timeout'
  /** Nothing listens on the port. */
  | 'refused'
  /** No route to the host. */
  | 'unreachable'
  | 'dns'
  | 'no_such_name'
  | 'refused_address'
  | 'tls'
  | 'reset'
  | 'too_large'
  | 'too_many_redirects'
  | 'bad_redirect'
  | 'protocol'
  /** A limit of this process was reached; not a failure of the host. */
  | 'busy'
  | 'aborted';

/** A failed outgoing call. The message names the host and the limit, never a path, a query or a credential. */
export class NetError extends Error {
  override readonly name = 'NetError';
  readonly code: NetErrorCode;

  constructor(code: NetErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const CODE_BY_SYSTEM_ERROR: Readonly<Record<string, NetErrorCode>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  EPROTO: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  INVALID_CA: 'tls',
  INVALID_PURPOSE: 'tls',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ERR_STREAM_PREMATURE_CLOSE: 'reset',
  HPE_INVALID_EOF_STATE: 'reset',
  ETIMEDOUT: 'timeout',
  HPE_HEADER_OVERFLOW: 'too_large',
};

const TLS_ERROR_CODE = /^(CERT_|CRL_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * The `NetError` for an error of a socket, a resolver, TLS or the HTTP parser in a call to `host`. Only its message is kept: errors of
 * the parser contain bytes of the server.
 */
export function toNetError(error: unknown, host: string): NetError {
  if (error instanceof NetError) return error;
  const code = systemErrorCode(error);
  const kind = CODE_BY_SYSTEM_ERROR[code] ?? (TLS_ERROR_CODE.test(code) ? 'tls' : 'protocol');
  if (code === 'HPE_HEADER_OVERFLOW') return new NetError(kind, `${host}: headers larger than allowed`);
  return new NetError(kind, `${host}: ${errorMessage(error) || code || 'unknown failure'}`);
}

function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Node throws an `AggregateError` without a message if none of several addresses could be reached. */
function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return errorMessage(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

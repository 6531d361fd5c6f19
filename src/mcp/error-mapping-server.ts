import {
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { displayText } from '../analysis/display-text.ts';
import { RPC_CODES, parseRpcJson } from './json-rpc.ts';

type RequestHandler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

const MAX_MESSAGE_LENGTH = 300;
/** Message of the SDK's error for invalid params: zod issues as JSON, alone or after this prefix. */
const ZOD_ISSUES = /^(?:Invalid [\w/]+ request: )?(\[.*\])$/s;

/**
 * The SDK's server with errors as JSON-RPC defines them. Invalid params are -32602 with a short message (the SDK returns -32603 with
 * all issues of its schema). An internal error is logged, and the client gets only the code.
 */
export class ErrorMappingServer extends Server {
  readonly #logInternalError: (error: unknown) => void;
  /** Answers calls of tools that the SDK cannot: it knows no tasks. Null: the handler answers. */
  answerToolCall: ((request: JSONRPCRequest, context: ServerContext) => Promise<Result | null>) | null = null;

  constructor(
    identity: ConstructorParameters<typeof Server>[0],
    options: ServerOptions,
    logInternalError: (error: unknown) => void,
  ) {
    super(identity, options);
    this.#logInternalError = logInternalError;
  }

  /** The protocol version of the connection; undefined before the handshake. */
  get negotiatedVersion(): string | undefined {
    return this._negotiatedProtocolVersion;
  }

  /** The SDK calls this for every handler, also for its own. */
  protected override _wrapHandler(method: string, handler: RequestHandler): RequestHandler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        const answer = method === 'tools/call' ? await this.answerToolCall?.(request, context) : null;
        return answer ?? (await wrapped(request, context));
      } catch (error) {
        throw this.#asProtocolError(error);
      }
    };
  }

  #asProtocolError(error: unknown): ProtocolError {
    const issues = ZOD_ISSUES.exec(error instanceof Error ? error.message : '')?.[1];
    const issueMessage = issues === undefined ? null : firstIssueMessage(issues);
    if (issueMessage !== null) return new ProtocolError(RPC_CODES.invalidParams, issueMessage);
    if (error instanceof ProtocolError) return error;
    this.#logInternalError(error);
    return new ProtocolError(RPC_CODES.internalError, 'Internal error');
  }
}

/** `Invalid params: arguments.target: ...` for the first issue; null if the text has none. */
function firstIssueMessage(issues: string): string | null {
  const parsed = parseRpcJson(issues);
  const first = 'value' in parsed && Array.isArray(parsed.value) ? parsed.value[0] : undefined;
  if (typeof first?.message !== 'string') return null;
  const path = Array.isArray(first.path) ? first.path.filter((part: unknown) => part !== 'params').join('.') : '';
  return displayText(`Invalid params: ${path === '' ? '' : `${path}: `}${first.message}`, MAX_MESSAGE_LENGTH);
}

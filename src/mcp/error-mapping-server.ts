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
/** What the SDK throws for params of the wrong form: issues of zod as JSON, alone or after these words. */
const ZOD_ISSUES = /^(?:Invalid [\w/]+ request: )?(\[.*\])$/s;

/**
 * The SDK's server, whose errors are those of JSON-RPC: params of the wrong form are -32602 in a few words (the SDK says -32603, with
 * all that its schema found), and of a failure of this service nothing is told but the code.
 */
export class ErrorMappingServer extends Server {
  readonly #logInternalError: (error: unknown) => void;

  constructor(
    identity: ConstructorParameters<typeof Server>[0],
    options: ServerOptions,
    fault: (error: unknown) => void,
  ) {
    super(identity, options);
    this.#logInternalError = fault;
  }

  /** The SDK's hook around every handler, its own included. */
  protected override _wrapHandler(method: string, handler: RequestHandler): RequestHandler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
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

/** `Invalid params: arguments.target: ...` of the first issue; null where the text holds none. */
function firstIssueMessage(issues: string): string | null {
  const parsed = parseRpcJson(issues);
  const first = 'value' in parsed && Array.isArray(parsed.value) ? parsed.value[0] : undefined;
  if (typeof first?.message !== 'string') return null;
  const path = Array.isArray(first.path) ? first.path.filter((part: unknown) => part !== 'params').join('.') : '';
  return displayText(`Invalid params: ${path === '' ? '' : `${path}: `}${first.message}`, MAX_MESSAGE_LENGTH);
}

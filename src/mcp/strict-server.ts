import {
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { shownText } from '../analysis/text.ts';
import { RPC, readJson } from './rpc.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

const MAX_MESSAGE = 300;
/** What the SDK throws for params of the wrong form: issues of zod as JSON, alone or after these words. */
const ISSUES = /^(?:Invalid [\w/]+ request: )?(\[.*\])$/s;

/**
 * The SDK's server, whose errors are those of JSON-RPC: params of the wrong form are -32602 in a few words (the SDK says -32603, with
 * all that its schema found), and of a failure of this service nothing is told but the code.
 */
export class StrictServer extends Server {
  readonly #fault: (error: unknown) => void;

  constructor(
    identity: ConstructorParameters<typeof Server>[0],
    options: ServerOptions,
    fault: (error: unknown) => void,
  ) {
    super(identity, options);
    this.#fault = fault;
  }

  /** The SDK's hook around every handler, its own included. */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
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
    const issues = ISSUES.exec(error instanceof Error ? error.message : '')?.[1];
    const words = issues === undefined ? null : wordsOf(issues);
    if (words !== null) return new ProtocolError(RPC.invalidParams, words);
    if (error instanceof ProtocolError) return error;
    this.#fault(error);
    return new ProtocolError(RPC.internalError, 'Internal error');
  }
}

/** `Invalid params: arguments.target: ...` of the first issue; null where the text holds none. */
function wordsOf(issues: string): string | null {
  const read = readJson(issues);
  const first = 'value' in read && Array.isArray(read.value) ? read.value[0] : undefined;
  if (typeof first?.message !== 'string') return null;
  const path = Array.isArray(first.path) ? first.path.filter((part: unknown) => part !== 'params').join('.') : '';
  return shownText(`Invalid params: ${path === '' ? '' : `${path}: `}${first.message}`, MAX_MESSAGE);
}

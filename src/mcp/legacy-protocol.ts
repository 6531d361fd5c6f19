import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isInitializeRequest,
  type JSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { JsonResponseTransport, type McpResponseBody } from './json-response-transport.ts';
import { messageId, RPC_CODES, type RpcError, createRpcError } from './json-rpc.ts';

export const MAX_BATCH_MESSAGES = 100;
/** From this version on a body holds one message. */
export const FIRST_VERSION_WITHOUT_BATCHES = '2025-06-18';

/** What is wrong with a body of the protocol before 2026; null where it may be handled. `version`: the header, where there is one. */
export function validateLegacyBody(body: unknown, version: string | undefined): RpcError | null {
  const batch = Array.isArray(body);
  const opening = !batch && isInitializeRequest(body);
  if (!opening && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const data = { supported: [...SUPPORTED_PROTOCOL_VERSIONS], requested: version };
    return createRpcError(RPC_CODES.unsupportedVersion, 'Unsupported protocol version', messageId(body), data);
  }
  if (!batch) return null;
  if ((version ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION) >= FIRST_VERSION_WITHOUT_BATCHES) {
    return createRpcError(
      RPC_CODES.invalidRequest,
      `Invalid Request: there are no batches since protocol version ${FIRST_VERSION_WITHOUT_BATCHES}`,
    );
  }
  if (body.length > MAX_BATCH_MESSAGES)
    return createRpcError(
      RPC_CODES.invalidRequest,
      `Invalid Request: a batch has at most ${MAX_BATCH_MESSAGES} messages`,
    );
  if (body.some((message) => isInitializeRequest(message))) {
    return createRpcError(RPC_CODES.invalidRequest, 'Invalid Request: initialize stands alone');
  }
  return null;
}

/** Puts the messages of one body to a server of their own, which ends with the answer, when the client goes, or after `ms`. */
export async function answerLegacy(
  server: Server,
  body: JSONRPCMessage | JSONRPCMessage[],
  gone: AbortSignal,
  ms: number,
): Promise<McpResponseBody> {
  const exchange = new JsonResponseTransport(body, ms);
  await server.connect(exchange);
  const end = (): void => void exchange.close();
  gone.addEventListener('abort', end, { once: true });
  const answer = await exchange.deliverAndWait();
  gone.removeEventListener('abort', end);
  if (answer !== null && typeof answer !== 'string') answer.once('close', end);
  return answer;
}

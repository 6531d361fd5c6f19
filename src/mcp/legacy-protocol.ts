import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isInitializeRequest,
  type JSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { JsonResponseTransport, type McpResponseBody } from './json-response-transport.ts';
import { createRpcError, messageId, RPC_CODES, type RpcError } from './json-rpc.ts';
import { validateBatch } from './protocol-versions.ts';

/** The error response to a legacy body that is not valid; null if it is. `version`: the MCP-Protocol-Version header. */
export function validateLegacyBody(body: unknown, version: string | undefined): RpcError | null {
  const isInitialize = !Array.isArray(body) && isInitializeRequest(body);
  if (!isInitialize && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const data = { supported: [...SUPPORTED_PROTOCOL_VERSIONS], requested: version };
    return createRpcError(RPC_CODES.unsupportedVersion, 'Unsupported protocol version', messageId(body), data);
  }
  return Array.isArray(body) ? validateBatch(body, version ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION) : null;
}

/** Runs the messages of one body on a server of their own, which is closed with the answer, on disconnect, or after `timeoutMs`. */
export async function answerLegacy(
  server: Server,
  body: JSONRPCMessage | JSONRPCMessage[],
  disconnectSignal: AbortSignal,
  timeoutMs: number,
): Promise<McpResponseBody> {
  const transport = new JsonResponseTransport(body, timeoutMs);
  await server.connect(transport);
  const close = (): void => void transport.close();
  disconnectSignal.addEventListener('abort', close, { once: true });
  const answer = await transport.deliverAndWait();
  disconnectSignal.removeEventListener('abort', close);
  if (answer !== null && typeof answer !== 'string') answer.once('close', close);
  return answer;
}

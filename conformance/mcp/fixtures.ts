import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallToolResult,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  type ReadResourceResult,
  type Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { completeArgument } from '../../src/mcp/completion.ts';
import { createMcpServer, type McpServerDeps } from '../../src/mcp/server.ts';

/**
 * What the conformance suite asks of any server, beside what ours offers: tools, resources and prompts with answers that the suite
 * prescribes, put into a server of ours. Transport, versions, errors and everything else stay those of the service.
 */

const INVALID_PARAMS = -32602;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const BETWEEN_MS = 50;

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, said: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
});

type Run = (given: Record<string, unknown>, context: ServerContext) => CallToolResult | Promise<CallToolResult>;

const NO_INPUT: Tool['inputSchema'] = { type: 'object', properties: {} };
const TOOLS: Record<string, Run> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  async test_tool_with_logging(_given, { mcpReq }) {
    for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', said);
      await pause(BETWEEN_MS);
    }
    return text('Logged three times.');
  },
  async test_tool_with_progress(_given, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: progressToken ?? '', progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
      await pause(BETWEEN_MS);
    }
    return text('Progressed to 100.');
  },
  json_schema_2020_12_tool: () => text('ok'),
};

const SCHEMAS: Record<string, Tool['inputSchema']> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
};

const DEFINITIONS: Tool[] = Object.keys(TOOLS).map((name) => ({
  name,
  description: `Fixture of the conformance suite: ${name}.`,
  inputSchema: SCHEMAS[name] ?? NO_INPUT,
}));

const RESOURCES = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
];
const TEMPLATE = { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' };

function readFixture(uri: string): ReadResourceResult | null {
  if (uri === 'test://static-text') {
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return null;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
}

const PROMPTS: Prompt[] = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments.' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that embeds a resource.',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'A prompt with an image.' },
];

function getFixture(name: string, given: Record<string, string>): GetPromptResult {
  const said = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } });
  if (name === 'test_simple_prompt') return { messages: [said('This is a simple prompt for testing.')] };
  if (name === 'test_prompt_with_arguments') {
    return { messages: [said(`Prompt with arguments: arg1='${given['arg1']}', arg2='${given['arg2']}'`)] };
  }
  if (name === 'test_prompt_with_image') {
    return { messages: [{ role: 'user', content: image }, said('Please analyze the image above.')] };
  }
  if (name !== 'test_prompt_with_embedded_resource') throw new ProtocolError(INVALID_PARAMS, `Unknown prompt: ${name}`);
  const embedded = resource(String(given['resourceUri']), 'text/plain', 'Embedded resource content for testing.');
  return { messages: [{ role: 'user', content: embedded }, said('Please process the embedded resource above.')] };
}

/** A server as the service makes it, with the fixtures in place of its own tools, resources and prompts. */
export function createFixtureServer(parts: McpServerDeps): Server {
  const server = createMcpServer(parts);
  server.registerCapabilities({ logging: {} });
  server.setRequestHandler('tools/list', () => ({ tools: DEFINITIONS }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const run = TOOLS[params.name];
    if (run === undefined) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${params.name}`);
    return run(params.arguments ?? {}, context);
  });
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE] }));
  server.setRequestHandler('resources/read', ({ params }) => {
    const found = readFixture(params.uri);
    if (found === null) throw new ProtocolError(INVALID_PARAMS, 'Resource not found', { uri: params.uri });
    return found;
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }));
  server.setRequestHandler('prompts/get', ({ params }) => getFixture(params.name, params.arguments ?? {}));
  server.setRequestHandler('completion/complete', ({ params }) =>
    params.ref.type === 'ref/prompt' && params.ref.name.startsWith('test_')
      ? { completion: { values: [], total: 0, hasMore: false } }
      : completeArgument(params, parts.service.resources),
  );
  return server;
}

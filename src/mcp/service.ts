import type { Operation } from '../engine/operation.ts';
import type { Services } from '../engine/runner.ts';
import type { CallHost } from './call-host.ts';
import { callTool, type ToolAnswer } from './call-tool.ts';
import type { PlainCall } from './plain-call.ts';
import { ResourceTable } from './resources.ts';
import { selectTools } from './selection.ts';
import { type McpTool, toolsOf } from './tools.ts';
import { errorFieldsOf, fieldsOf, WrittenResults } from './written-results.ts';

/** What all servers of a process share: made once, never changed. */
export class McpService {
  /** As the protocol has a server present itself. */
  readonly identity;
  readonly tools: readonly McpTool[];
  readonly resources: ResourceTable;
  readonly #operations: readonly Operation[];
  readonly #services: Services;
  readonly #written = new WrittenResults();

  constructor(operations: readonly Operation[], services: Services) {
    this.identity = {
      name: 'sextant',
      title: 'Sextant',
      version: services.health.version,
      description: 'Security intelligence that names its sources, its age and its gaps.',
    };
    this.tools = toolsOf(operations);
    this.resources = new ResourceTable(operations, services);
    this.#operations = operations;
    this.#services = services;
  }

  /** See `selectTools`. */
  select(wanted: string): readonly McpTool[] {
    return selectTools(this.tools, wanted);
  }

  /** See `callTool`. */
  call(
    { operation }: McpTool,
    given: Record<string, unknown>,
    host: CallHost,
    gone: () => AbortSignal,
  ): Promise<ToolAnswer> {
    return callTool({ operation, given, operations: this.#operations, services: this.#services, host, gone });
  }

  /** A call answered as the message that answers its request; `besides` is JSON that its result has too. */
  async callToMessage(
    call: PlainCall,
    tool: McpTool,
    host: CallHost,
    gone: () => AbortSignal,
    besides: string,
  ): Promise<Buffer> {
    const { json, isError } = await this.call(tool, call.given, host, gone);
    const { id, timeless } = tool.operation;
    const key = timeless ? `${id} ${JSON.stringify(call.given)}` : null;
    const fields = isError ? errorFieldsOf(json) : key === null ? fieldsOf(json) : this.#written.fieldsOf(key, json);
    const start = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":{`);
    return Buffer.concat([start, ...fields, Buffer.from(`${besides}}}`)]);
  }
}

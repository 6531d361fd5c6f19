import type { Tool } from '@modelcontextprotocol/server';
import type { Operation } from '../engine/operation.ts';
import { inputJsonSchema, type JsonSchema, outputJsonSchema } from './tool-json-schema.ts';

/** An operation as MCP offers it. */
export interface McpTool {
  readonly operation: Operation;
  /** Made, as its JSON is, when it is first asked for. */
  readonly definition: Tool;
  readonly definitionJson: string;
}

/** Approximate size of one output schema: the whole tool list must stay under 120 KB. */
const OUTPUT_SCHEMA_BYTES = 1250;
/** The same in every answer; the server's instructions explain them once. */
const TYPE_ONLY_FIELDS: ReadonlySet<string> = new Set(['verdict', 'next_calls']);
/** Their descriptions are left out: name and limits are enough. */
const PAGING_FIELDS = ['limit', 'offset'];
const READ_ONLY_ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
/** Field of truncated answers (`truncate-to-budget.ts`). */
const TRIMMED_SCHEMA = { type: 'string' };

const toolsByOperation = new WeakMap<Operation, McpTool>();

/** The tools of all operations that MCP offers, in their order. Each is made once for all services of the process. */
export function createTools(operations: readonly Operation[]): McpTool[] {
  return operations.filter(({ tool }) => tool !== undefined).map(toolOf);
}

function toolOf(operation: Operation): McpTool {
  const tool = toolsByOperation.get(operation) ?? new LazyTool(operation);
  toolsByOperation.set(operation, tool);
  return tool;
}

/** JSON array of the tool definitions. */
export function toolListJson(tools: readonly McpTool[]): string {
  return `[${tools.map(({ definitionJson }) => definitionJson).join(',')}]`;
}

/** The input of a call with the defaults that apply only over MCP. */
export function withToolDefaults({ tool }: Operation, rawInput: Record<string, unknown>): Record<string, unknown> {
  return tool?.inputDefaults === undefined ? rawInput : { ...tool.inputDefaults, ...rawInput };
}

/** Schemas take a millisecond each: a start does not wait for them. */
class LazyTool implements McpTool {
  readonly operation: Operation;
  #definition: Tool | null = null;
  #definitionJson: string | null = null;

  constructor(operation: Operation) {
    this.operation = operation;
  }

  get definition(): Tool {
    return (this.#definition ??= toolDefinition(this.operation));
  }

  get definitionJson(): string {
    return (this.#definitionJson ??= JSON.stringify(this.definition));
  }
}

function toolDefinition(operation: Operation): Tool {
  const { description, openWorld } = operation.tool!;
  return {
    name: operation.id,
    title: operation.title,
    description,
    annotations: { ...READ_ONLY_ANNOTATIONS, openWorldHint: openWorld },
    inputSchema: inputSchema(operation),
    outputSchema: outputSchema(operation),
  } as Tool;
}

function inputSchema({ input, examples, tool }: Operation): JsonSchema {
  const schema = inputJsonSchema(input);
  const properties = schema['properties'] as Record<string, JsonSchema>;
  for (const name of PAGING_FIELDS) delete properties[name]?.['description'];
  for (const [name, value] of Object.entries(tool?.inputDefaults ?? {}))
    properties[name] = { ...properties[name], default: value };
  return { ...schema, examples: examples.slice(0, 1).map((example) => example.input) };
}

function outputSchema({ output }: Operation): JsonSchema {
  const schema = outputJsonSchema(output, OUTPUT_SCHEMA_BYTES, TYPE_ONLY_FIELDS);
  return { ...schema, properties: { ...(schema['properties'] as JsonSchema), trimmed: TRIMMED_SCHEMA } };
}

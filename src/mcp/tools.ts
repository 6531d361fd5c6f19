import type { Tool } from '@modelcontextprotocol/server';
import type { Operation } from '../engine/operation.ts';
import { inputJsonSchema, type JsonSchema, outputJsonSchema } from './tool-json-schema.ts';

/** An operation as a model calls it. */
export interface McpTool {
  readonly operation: Operation;
  readonly definition: Tool;
  /** The definition as it goes out; written once. */
  readonly definitionJson: string;
}

/** Bytes of one output schema, about: 55 of them, with all that comes before the model, stay under 120 KB. */
const OUTPUT_SCHEMA_BYTES = 1250;
/** The same in every answer; the instructions of the server say once what they hold. */
const TYPE_ONLY_FIELDS: ReadonlySet<string> = new Set(['verdict', 'next_calls']);
/** Their names and bounds say it all. */
const PAGING_FIELDS = ['limit', 'offset'];
const READ_ONLY_ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
/** Added to answers that were cut (`fit.ts`). */
const TRIMMED_SCHEMA = { type: 'string' };

/** The tools of all operations that are to be tools, in their order. */
export function createTools(operations: readonly Operation[]): McpTool[] {
  return operations.filter(({ tool }) => tool !== undefined).map(createTool);
}

/** `[...]`: the list of tools as it goes out. */
export function toolListJson(tools: readonly McpTool[]): string {
  return `[${tools.map(({ definitionJson }) => definitionJson).join(',')}]`;
}

/** What a call over MCP is given that does not say otherwise. */
export function withToolDefaults({ tool }: Operation, rawInput: Record<string, unknown>): Record<string, unknown> {
  return tool?.inputDefaults === undefined ? rawInput : { ...tool.inputDefaults, ...rawInput };
}

function createTool(operation: Operation): McpTool {
  const { description, openWorld } = operation.tool!;
  const definition = {
    name: operation.id,
    title: operation.title,
    description,
    annotations: { ...READ_ONLY_ANNOTATIONS, openWorldHint: openWorld },
    inputSchema: inputSchema(operation),
    outputSchema: outputSchema(operation),
  } as Tool;
  return { operation, definition, definitionJson: JSON.stringify(definition) };
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

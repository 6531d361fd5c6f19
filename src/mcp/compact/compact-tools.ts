import type { Tool } from '@modelcontextprotocol/server';
import { AREAS } from '../../engine/operation.ts';
import { didYouMean } from '../../engine/input/did-you-mean.ts';
import { quoteInput } from '../../engine/input/identifiers.ts';
import { costText } from '../../engine/describe-operation.ts';
import { isJsonObject } from '../../analysis/bounded-json.ts';
import { textKindPhrase } from '../../analysis/recognize-text.ts';
import { ApiError } from '../../errors.ts';
import type { McpTool } from '../tools.ts';
import { recognizeQuery } from './recognize-query.ts';
import { ownDescription, ToolIndex } from './tool-index.ts';

type RawInput = Record<string, unknown>;

/** A call of one tool, as it is carried out. */
export interface TargetCall {
  tool: McpTool;
  rawInput: RawInput;
}

const MAX_FOUND = 5;
const MAX_SHOWN_IDENTIFIERS = 10;
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

const FIND_TOOLS = 'find_tools';
const DESCRIBE_TOOL = 'describe_tool';
const CALL_TOOL = 'call_tool';

/** What a client of the compact mode sees. Every word stands in the context of a model before its first question. */
export const COMPACT_TOOLS: readonly Tool[] = [
  {
    name: FIND_TOOLS,
    title: 'Find tools',
    description:
      'Which tools answer a question: give words, or what was pasted (CVE, IP, domain, URL, hash, package, lockfile, CVSS vector, technique, ...). Free, asks nobody.',
    annotations: { ...READ_ONLY, openWorldHint: false },
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words or a pasted text.' } },
      required: ['query'],
    },
  },
  {
    name: DESCRIBE_TOOL,
    title: 'Describe a tool',
    description: 'Input schema, example, price and neighbours of one tool. Free, asks nobody.',
    annotations: { ...READ_ONLY, openWorldHint: false },
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
  },
  {
    name: CALL_TOOL,
    title: 'Call a tool',
    description:
      'Calls a tool of find_tools or of next_calls. Some ask sources on the internet: describe_tool says which.',
    // Some of the tools leave this machine: the hint holds for all that it may do.
    annotations: { ...READ_ONLY, openWorldHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Such as cve_lookup.' },
        input: {
          type: ['object', 'string'],
          description: 'Input of that tool, such as {"cve_id":"CVE-2021-44228"}; text: its only required field.',
        },
      },
      required: ['name', 'input'],
    },
  },
];

/** Answers the tools of the compact mode for one selection of tools. */
export class CompactTools {
  readonly #tools: readonly McpTool[];
  #index: ToolIndex | null = null;

  constructor(tools: readonly McpTool[]) {
    this.#tools = tools;
  }

  /** The answer of `find_tools` or `describe_tool`; null for other tools. Throws `ApiError` for a wrong input. */
  answer(name: string, rawInput: RawInput): RawInput | null {
    if (name === FIND_TOOLS) return this.#findTools(requireText(rawInput, 'query'));
    if (name === DESCRIBE_TOOL) return this.#describeTool(this.#requireTool(requireText(rawInput, 'name')));
    return null;
  }

  /** The tool and input that `call_tool` names. Throws `ApiError` where it names none. */
  requireTarget(rawInput: RawInput): TargetCall {
    const tool = this.#requireTool(requireText(rawInput, 'name'));
    const { input } = rawInput;
    if (isJsonObject(input)) return { tool, rawInput: input };
    const [field, ...others] = tool.definition.inputSchema.required ?? [];
    if (typeof input === 'string' && field !== undefined && others.length === 0) {
      return { tool, rawInput: { [field]: input } };
    }
    const example = JSON.stringify(tool.operation.examples[0]!.input);
    const problem = input === undefined ? 'is missing' : 'must be an object';
    throw new ApiError(
      'invalid_argument',
      `input: ${problem}: the input of ${tool.definition.name}, such as ${example}.`,
    );
  }

  #findTools(query: string): RawInput {
    const recognized = recognizeQuery(query);
    this.#index ??= new ToolIndex(this.#tools);
    const found = this.#index.find(recognized, MAX_FOUND);
    const names = this.#tools.map(({ definition }) => definition.name);
    if (found.length === 0) {
      const areas = new Set(this.#tools.map(({ operation }) => operation.area));
      return {
        tools: [],
        note: 'No tool fits these words. Areas of tools, to ask in other words:',
        areas: Object.fromEntries([...areas].map((area) => [area, AREAS[area]])),
      };
    }
    const { identifiers } = recognized;
    return {
      ...(identifiers.length === 0
        ? {}
        : {
            recognized: identifiers
              .slice(0, MAX_SHOWN_IDENTIFIERS)
              .map(({ kind, value }) => `${value} is ${textKindPhrase(kind)}`),
          }),
      tools: found.map(({ tool, input }) => ({
        name: tool.definition.name,
        use: ownDescription(tool, names),
        input: inputSignature(tool),
        ...(input === null ? {} : { ready_input: input }),
      })),
    };
  }

  #describeTool(tool: McpTool): RawInput {
    const { operation, definition } = tool;
    const { examples = [], ...schema } = definition.inputSchema as RawInput & { examples?: unknown[] };
    const words = new Set((definition.description ?? '').match(/\w+/g));
    const names = this.#tools.map((other) => other.definition.name);
    const neighbours = this.#tools.filter((other) => other !== tool && words.has(other.definition.name));
    return {
      name: definition.name,
      title: operation.title,
      description: definition.description,
      annotations: definition.annotations,
      price: costText(operation),
      input_schema: schema,
      examples,
      neighbours: neighbours.map((other) => ({ name: other.definition.name, use: ownDescription(other, names) })),
    };
  }

  #requireTool(name: string): McpTool {
    const tool = this.#tools.find(({ definition }) => definition.name === name);
    if (tool !== undefined) return tool;
    const hint = didYouMean(
      name,
      this.#tools.map(({ definition }) => definition.name),
    );
    throw new ApiError(
      'invalid_argument',
      `name: ${quoteInput(name)} is no tool here.${hint} ${FIND_TOOLS} finds one.`,
    );
  }
}

/** Whether a call of the compact mode calls another tool. */
export function isCallOfTool(name: string): boolean {
  return name === CALL_TOOL;
}

/** `cve_id, exposed?`: the fields of a tool's input, optional ones marked. */
function inputSignature({ definition }: McpTool): string {
  const { properties = {}, required = [] } = definition.inputSchema;
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ');
}

function requireText(rawInput: RawInput, field: string): string {
  const value = rawInput[field];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  const problem = value === undefined ? 'is missing' : 'must be a text that is not empty';
  throw new ApiError('invalid_argument', `${field}: ${problem}.`);
}

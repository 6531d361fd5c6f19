import type { Tool } from '@modelcontextprotocol/server';
import { ApiError } from '../errors.ts';
import { createLruCache } from '../lru-cache.ts';
import { didYouMean } from '../engine/input/did-you-mean.ts';
import { quoteInput } from '../engine/input/identifiers.ts';
import { type AppViews, viewMetadata } from './app-views.ts';
import { COMPACT_TOOLS, CompactTools, isCallOfTool, type TargetCall } from './compact/compact-tools.ts';
import { selectTools } from './select-tools.ts';
import { isLongRunning } from './tasks/long-running.ts';
import { type McpTool, toolListJson } from './tools.ts';

/**
 * How a client sees tools. `full`: each with its schemas of input and output. `brief`: without output schemas, which the protocol allows.
 * `compact`: three tools that find, describe and call the others.
 */
export const TOOL_MODES = ['full', 'brief', 'compact'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

const MAY_BE_TASK = { execution: { taskSupport: 'optional' as const } };

/** What a client asks for: areas and tools (comma-separated, empty for all), and a mode (empty for `full`). */
export interface ToolSetRequest {
  tools: string;
  mode: string;
}

/** The tools that one client may call, and how it sees them. */
export class ToolSet {
  readonly tools: readonly McpTool[];
  readonly mode: ToolMode;
  readonly compact: CompactTools;
  readonly #views: AppViews | null;
  readonly #listJson = new Map<boolean, string>();

  constructor(tools: readonly McpTool[], mode: ToolMode, views: AppViews | null) {
    this.tools = tools;
    this.mode = mode;
    this.#views = views;
    this.compact = new CompactTools(tools);
  }

  /** Definitions for `tools/list`. `withTasks`: those say so that may run as a task, for clients of 2025-11-25. */
  listed(withTasks: boolean): readonly Tool[] {
    if (this.mode === 'compact') {
      return COMPACT_TOOLS.map((tool) => (withTasks && isCallOfTool(tool.name) ? { ...tool, ...MAY_BE_TASK } : tool));
    }
    return this.tools.map(({ operation, definition }) => {
      const { outputSchema: _, ...brief } = definition;
      const view = this.#views?.uriOf(definition.name) ?? null;
      return {
        ...(this.mode === 'full' ? definition : brief),
        ...(withTasks && isLongRunning(operation) ? MAY_BE_TASK : {}),
        ...(view === null ? {} : viewMetadata(view)),
      };
    });
  }

  /** JSON array of `listed`, written once. */
  listJson(withTasks: boolean): string {
    let json = this.#listJson.get(withTasks);
    if (json === undefined) {
      const isAsDefined = this.mode === 'full' && !withTasks && this.#views === null;
      json = isAsDefined ? toolListJson(this.tools) : JSON.stringify(this.listed(withTasks));
      this.#listJson.set(withTasks, json);
    }
    return json;
  }

  /** The tool with this name; null if it is not among them. */
  find(name: string): McpTool | null {
    return this.tools.find(({ definition }) => definition.name === name) ?? null;
  }

  /**
   * The tool that a call runs, and its input; null for an unknown tool, or one that answers by itself (`CompactTools.answer`). Throws
   * `ApiError` for a `call_tool` that names no tool or gives no input.
   */
  targetOf(name: string, rawInput: Record<string, unknown>): TargetCall | null {
    if (this.mode === 'compact' && isCallOfTool(name)) return this.compact.requireTarget(rawInput);
    const tool = this.find(name);
    return tool === null ? null : { tool, rawInput };
  }
}

const MAX_KEPT_SETS = 100;
const MAX_KEY_CHARACTERS = 500;

/** Makes tool sets, and keeps those that were asked for: every request over HTTP asks for one. */
export class ToolSets {
  readonly #allTools: readonly McpTool[];
  readonly #views: AppViews | null;
  readonly #kept = createLruCache<string, ToolSet>(MAX_KEPT_SETS);

  constructor(allTools: readonly McpTool[], views: AppViews | null) {
    this.#allTools = allTools;
    this.#views = views;
  }

  /** The tools that a client asks for. Throws `ApiError` (invalid_argument) for an unknown name or mode. */
  select({ tools, mode }: ToolSetRequest): ToolSet {
    const key = `${mode} ${tools}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const selected = new ToolSet(selectTools(this.#allTools, tools), parseMode(mode), this.#views);
    if (key.length <= MAX_KEY_CHARACTERS) this.#kept.set(key, selected);
    return selected;
  }
}

function parseMode(text: string): ToolMode {
  const name = text.trim().toLowerCase();
  if (name === '') return 'full';
  const mode = TOOL_MODES.find((known) => known === name);
  if (mode !== undefined) return mode;
  throw new ApiError(
    'invalid_argument',
    `mode: ${quoteInput(text)} is no mode.${didYouMean(name, TOOL_MODES)} Modes: ${TOOL_MODES.join(', ')}.`,
  );
}

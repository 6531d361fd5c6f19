import { countOpeningTokens, type Speak, type Walk, walk } from './agent.ts';
import type { AgentQuestion } from './questions.ts';

export interface Evaluation {
  /** Before the first question: instructions and tools. */
  openingTokens: number;
  walks: Walk[];
  solved: number;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Walks all questions, one after the other, at a service: `http://127.0.0.1:8080`. */
export async function evaluate(service: string, questions: readonly AgentQuestion[]): Promise<Evaluation> {
  const speak = speakTo(`${service}/mcp?mode=compact`);
  const openingTokens = await countOpeningTokens(speak);
  const walks: Walk[] = [];
  for (const question of questions) walks.push(await walk(question, speak));
  return { openingTokens, walks, solved: walks.filter(isSolved).length };
}

export const isSolved = ({ missing }: Walk): boolean => missing.length === 0;

/** One line: what was asked, what was tried, what it cost, what was not found. */
export function describeWalk({ question, steps, tokens, missing }: Walk): string {
  const [firstLine] = question.text.split('\n');
  const outcome = missing.length === 0 ? 'in reach' : `missing ${missing.join(' ')}`;
  return `${firstLine} | ${steps.join(', ')} | ${tokens} tokens | ${outcome}`;
}

function speakTo(url: string): Speak {
  let id = 0;
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const response = await fetch(url, { method: 'POST', headers: HEADERS, body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

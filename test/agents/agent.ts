import { countTokens } from 'gpt-tokenizer';
import type { AgentQuestion } from './questions.ts';

// biome-ignore lint/suspicious/noExplicitAny: an agent looks into answers of every shape.
type Loose = any;
type Input = Record<string, unknown>;

/** How an agent speaks with a server: a JSON-RPC request to its result. */
export type Speak = (method: string, params: object) => Promise<Loose>;

/** What an agent did for a question, until it had seen all facts or gave up. */
export interface Walk {
  question: AgentQuestion;
  /** Tools in the order in which it called them; those of the compact mode itself by their own name. */
  steps: string[];
  /** Of what the model wrote and read: the inputs of calls and the texts of answers. */
  tokens: number;
  /** Facts that no answer held. */
  missing: RegExp[];
}

/** How far it goes: tools of the list that it tries, and calls that an answer suggests and it follows. */
const TRIED_TOOLS = 3;
const FOLLOWED_CALLS = 2;

/**
 * Walks one question by a fixed policy that knows nothing but the protocol: it looks for tools by the words of the question, takes them in
 * the order in which they are offered, fills their input from the question by the schema, and follows the first calls that an answer suggests.
 */
export async function walk(question: AgentQuestion, speak: Speak): Promise<Walk> {
  const steps: string[] = [];
  let tokens = 0;
  let missing = [...question.facts];
  const use = async (name: string, given: Input): Promise<Loose> => {
    steps.push(name === 'call_tool' ? String(given['name']) : name);
    const { content, isError } = await speak('tools/call', { name, arguments: given });
    const text = content.map((part: { text?: string }) => part.text ?? '').join('\n');
    tokens += countTokens(JSON.stringify({ name, arguments: given })) + countTokens(text);
    if (isError === true) return null;
    const answer = JSON.parse(text);
    // Descriptions of tools are no findings.
    if (name === 'call_tool') missing = missing.filter((fact) => !fact.test(text));
    return answer;
  };
  const found = await use('find_tools', { query: question.text });
  for (const [order, tool] of (found?.tools ?? []).slice(0, TRIED_TOOLS).entries()) {
    const input = isWhole(tool)
      ? tool.ready_input
      : fill(await use('describe_tool', { name: tool.name }), tool, question);
    if (input === null) continue;
    let answer = await use('call_tool', { name: tool.name, input });
    const fewer = withOneWord(input);
    if (answer?.results?.length === 0 && fewer !== null)
      answer = await use('call_tool', { name: tool.name, input: fewer });
    if (missing.length === 0) break;
    if (order > 0) continue;
    for (const next of (answer?.next_calls ?? []).slice(0, FOLLOWED_CALLS)) {
      await use('call_tool', { name: next.tool, input: next.params ?? next.input });
      if (missing.length === 0) break;
    }
    if (missing.length === 0) break;
  }
  return { question, steps, tokens, missing };
}

/** Tokens of what stands in the context of the model before the first question. */
export async function countOpeningTokens(speak: Speak): Promise<number> {
  const clientInfo = { name: 'agent', version: '1' };
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { instructions } = await speak('initialize', opening);
  const { tools } = await speak('tools/list', {});
  const shown = tools.map(({ name, description, inputSchema }: Loose) => ({ name, description, inputSchema }));
  return countTokens(instructions) + countTokens(JSON.stringify(shown));
}

/** Whether the input at hand has all that the tool wants: `input` is `cve_id, exposed?`. */
function isWhole({ input, ready_input: ready }: { input: string; ready_input?: Input }): boolean {
  if (ready === undefined) return false;
  const required = input.split(', ').filter((name) => name !== '' && !name.endsWith('?'));
  return required.every((name) => name in ready);
}

/** Forms of what people name in questions. A field takes what has the form of its example. */
const FORMS: readonly RegExp[] = [
  /CVSS:\d\.\d\/[\w:./]+/,
  /pkg:[\w./@%+-]+/,
  /\bhttps?:\/\/[^\s"]+/,
  /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/,
  /\bCVE-\d{4}-\d{4,}\b/,
  /\bGHSA(?:-\w{4}){3}\b/,
  /\bCWE-\d+\b/,
  /\bAML\.CS\d{4}\b/,
  /\bAML\.T\d{4}(?:\.\d{3})?\b/,
  /\bD3-[A-Z]+\b/,
  /(?<![.\w])T\d{4}(?:\.\d{3})?\b/,
  /\bAS\d+\b/,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i,
  /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/i,
  /\+\d[\d ().-]{6,18}\d/,
  /\b(?:[\w-]+\.)+[a-z]{2,}\b/i,
];
/** Longer examples are documents. */
const LONG_EXAMPLE = 60;
const STOP_WORDS = new Set(
  'a about all an and any are as asks at be by can did do does for from get give had has have how i if in is it its me my need of on or our out please should some something somebody that the their there these they this those to us was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The input of a tool as its description asks for it; null where the question does not give what it requires. */
function fill(
  description: Loose,
  { ready_input: ready }: { ready_input?: Input },
  question: AgentQuestion,
): Input | null {
  const { properties = {}, required = [] } = description?.input_schema ?? {};
  const examples: Input[] = description?.examples ?? [];
  const input: Input = { ...ready };
  const open: [name: string, schema: Loose][] = [];
  for (const [name, schema] of Object.entries<Loose>(properties)) {
    const example = examples.map((one) => one[name]).find((value) => value !== undefined);
    const value = input[name] ?? valueFor(name, schema, example, question);
    if (value === undefined) open.push([name, schema]);
    else input[name] = value;
  }
  const { paste } = question;
  if (paste !== undefined && !Object.values(input).includes(paste)) {
    const place = open.find(([, schema]) => takesDocument(schema));
    if (place !== undefined) input[place[0]] = place[1].type === 'object' ? headersOf(paste) : paste;
  }
  const isSearch = Object.values(input).every((value) => typeof value !== 'string' || !isNamed(value));
  const place = open.find(([name, schema]) => isText(schema) && (required.includes(name) || takesWords(schema)));
  if (isSearch && place !== undefined) input[place[0]] = keywords(question.text, description, input);
  return required.every((name: string) => name in input) && Object.keys(input).length > 0 ? input : null;
}

function valueFor(name: string, schema: Loose, example: unknown, { text, paste }: AgentQuestion): unknown {
  const words = wordsOf(text);
  if (Array.isArray(schema.enum))
    return schema.enum.find((value: unknown) => words.includes(String(value).toLowerCase()));
  const types = typesOf(schema);
  if (types.includes('boolean')) return isMeant(schema, text) || undefined;
  if (types.includes('array')) {
    const form = formOf(Array.isArray(example) ? example[0] : undefined);
    const all =
      form === undefined ? [] : [...text.matchAll(new RegExp(form, `g${form.flags}`))].map(([value]) => value);
    return all.length > 0 ? all : undefined;
  }
  if (!types.includes('string')) return undefined;
  if (paste !== undefined && typeof example === 'string' && isDocument(example)) return paste;
  const listed = words.find((word) => word.includes('.') && wordsOf(schema.description ?? '').includes(word));
  if (listed !== undefined) return listed;
  if (/YYYY-MM-DD/.test(schema.description ?? '')) return dateFor(name, text);
  return formOf(example)?.exec(text)?.[0];
}

/** Whether a question has at least half of the words that say what a switch does. */
function isMeant({ description = '' }: Loose, text: string): boolean {
  const said = new Set(text.toLowerCase().match(/[a-z]{5,}/g));
  const words: string[] = description.toLowerCase().match(/[a-z]{5,}/g) ?? [];
  return words.length > 0 && words.filter((word) => said.has(word)).length * 2 >= words.length;
}

const isText = (schema: Loose): boolean => typesOf(schema).includes('string') && schema.enum === undefined;
const takesWords = ({ description = '' }: Loose): boolean => /\bwords?\b/i.test(description);
const takesDocument = ({ description = '' }: Loose): boolean => /^text of|\bname to value\b/i.test(description);
const isNamed = (value: string): boolean => FORMS.some((form) => form.exec(value)?.[0] === value);

/** What one tries after a search that found nothing: the longest word alone. Null: there was no search by several words. */
function withOneWord(input: Input): Input | null {
  const [name, text] =
    Object.entries(input).find(([, value]) => typeof value === 'string' && /^[\w.-]+( [\w.-]+)+$/.test(value)) ?? [];
  if (name === undefined) return null;
  const [longest] = String(text)
    .split(' ')
    .toSorted((a, b) => b.length - a.length);
  return { ...input, [name]: longest };
}

/** Pasted headers as an object, as a model writes them. */
function headersOf(paste: string): Input {
  return Object.fromEntries([...paste.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name, value]) => [name, value]));
}

const typesOf = ({ type }: Loose): string[] => [type].flat();
const isDocument = (example: string): boolean => example.includes('\n') || example.length > LONG_EXAMPLE;

function formOf(example: unknown): RegExp | undefined {
  return typeof example === 'string' ? FORMS.find((form) => form.exec(example)?.[0] === example) : undefined;
}

/** `in August 2025` as the first or the last day of it, by the name of the field; a date as it stands. */
function dateFor(name: string, text: string): string | undefined {
  const [, word, year] = new RegExp(`(${MONTHS.join('|')}) (\\d{4})`).exec(text) ?? [];
  if (word === undefined) return /\b20\d\d-\d\d-\d\d\b/.exec(text)?.[0];
  const month = MONTHS.indexOf(word);
  const isEnd = /before|until|end|to$/.test(name);
  return new Date(Date.UTC(Number(year), isEnd ? month + 1 : month, isEnd ? 0 : 1)).toISOString().slice(0, 10);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\w.-]*\w/g) ?? [];
}

/**
 * What a question is about: the names in it, else its words; not those of the tool itself, nor those that went into other fields.
 */
function keywords(text: string, { title, description }: Loose, input: Input): string {
  const used = wordsOf(`${title} ${description} ${JSON.stringify(input)}`).map(beginning);
  const isTelling = (word: string): boolean =>
    !STOP_WORDS.has(word) && !/^\d+$/.test(word) && !used.includes(beginning(word));
  const names = wordsOf((text.match(/(?<=[^.?!]\s)[A-Z][\w.-]*/g) ?? []).join(' ')).filter(isTelling);
  return (names.length > 0 ? names : wordsOf(text).filter(isTelling)).join(' ');
}

const beginning = (word: string): string => word.slice(0, 5);

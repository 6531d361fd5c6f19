import { needsCaller, type Operation } from '../engine/operation.ts';
import { hasBody, locationOf, parseRoute, pathParametersOf } from '../engine/route.ts';

type Input = Readonly<Record<string, unknown>>;

/** Longer input is not repeated in a command: a pasted document belongs into a file. */
const MAX_TEXT_CHARACTERS = 2000;

/** The path of a GET that asks the same over REST; null for others. */
export function questionPath(operation: Operation, input: Input): string | null {
  return operation.route?.startsWith('GET ') === true ? pathOf(operation, operation.route, input) : null;
}

/** A curl command that asks the same; null where the input is too long. */
export function questionAsCurl(operation: Operation, input: Input, origin: string): string | null {
  const { route } = operation;
  if (route === null) return null;
  const { method } = parseRoute(route);
  const address = shellQuote(`${origin}${pathOf(operation, route, input)}`);
  const command = `curl -s ${method === 'GET' || method === 'POST' ? '' : `-X ${method} `}${address}`;
  if (!hasBody(method)) return short(command);
  const body = Object.fromEntries(Object.entries(input).filter(([field]) => locationOf(operation, field) === 'body'));
  return short(`${command} -H 'content-type: application/json' -d ${shellQuote(JSON.stringify(body))}`);
}

/** A command line that asks the same; null where the input has no form there, or a command has no caller. */
export function questionAsCommand(operation: Operation, input: Input): string | null {
  if (needsCaller(operation)) return null;
  const inPath = pathParametersOf(operation);
  const positionals = inPath.length > 0 ? inPath : [operation.subject?.field ?? ''];
  const words = Object.entries(input).flatMap(([field, value]) => {
    if (value === undefined || value === null) return [];
    if (positionals.includes(field)) return [];
    const option = `--${field.replaceAll('_', '-')}`;
    if (value === true) return [option];
    if (value === false) return [`--no-${field.replaceAll('_', '-')}`];
    return [`${option} ${shellQuote(textOf(value))}`];
  });
  const subject = positionals.flatMap((field) => (input[field] === undefined ? [] : shellQuote(textOf(input[field]))));
  return short(['sextant', operation.id.replaceAll('_', '-'), ...subject, ...words].join(' '));
}

/** The parameters of an MCP `tools/call` that asks the same; null for operations that are no tool. */
export function questionAsToolCall({ id, tool }: Operation, input: Input): string | null {
  return tool === undefined ? null : short(JSON.stringify({ name: id, arguments: input }));
}

function pathOf(operation: Operation, route: NonNullable<Operation['route']>, input: Input): string {
  const { path, catchAllParameter } = parseRoute(route);
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(input)) {
    if (value !== undefined && value !== null && locationOf(operation, field) === 'query')
      query.set(field, textOf(value));
  }
  const filled = path.replace(/[:*]([a-z_0-9]+)/g, (_, field: string) => {
    const value = textOf(input[field] ?? '');
    return field === catchAllParameter ? encodeURI(value) : encodeURIComponent(value);
  });
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shellQuote(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function short(text: string): string | null {
  return text.length <= MAX_TEXT_CHARACTERS ? text : null;
}

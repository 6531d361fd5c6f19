import { VERSION } from '../../src/version.ts';
import type { JsonSchema } from '../../src/engine/json-schema.ts';
import { commentText, typeText } from './type-text.ts';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
}
interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  responses: { 200: { content: { 'application/json': { schema: JsonSchema } } } };
}
/** The parts of an OpenAPI document that a client is made of. */
export interface ClientDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

interface ClientOperation {
  id: string;
  /** `cveLookup`: as the operation is exported in `src/operations`. */
  method: string;
  described: DescribedOperation;
  /** As text of an object of `OperationRoute`. */
  route: string;
  inputType: string;
  inputSchema: JsonSchema;
  answerType: string;
  /** Null: its type has a name already. */
  answerSchema: JsonSchema | null;
  /** `row` of `OperationTypes`; null: it does not answer in pages. */
  row: string | null;
}

/** Methods that the client has for all operations. */
const TAKEN_METHODS = ['call', 'pages', 'rows', 'constructor'];
/** Names that are those of hand-written modules of the client, or of the language. */
const TAKEN_NAMES = ['ApiError', 'ErrorBody', 'Operations', 'SextantClient', 'Record', 'Partial', 'Error'];

/** Operations of a document, in its order. */
export function clientOperations(document: ClientDocument): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // Feeds are for readers of feeds.
      .filter(([, { responses }]) => 'application/json' in responses[200].content)
      .map(([method, described]) => toOperation(path, method.toUpperCase(), described, document)),
  );
}

function toOperation(
  path: string,
  method: string,
  described: DescribedOperation,
  { components: { schemas } }: ClientDocument,
): ClientOperation {
  const { operationId: id, responses } = described;
  const name = id.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const answer = responses[200].content['application/json'].schema;
  const answerType = answer.$ref === undefined ? `${name}Answer` : typeText(answer);
  const resolved = answer.$ref === undefined ? answer : schemas[answerType]!;
  const rows = rowsField(resolved);
  const query = described.parameters.filter((one) => one.in === 'query').map((one) => one.name);
  const route = {
    method,
    path,
    ...(described.requestBody !== undefined && query.length > 0 && { query }),
    ...(typeof rows === 'string' && { rows }),
  };
  return {
    id,
    method: `${name[0]!.toLowerCase()}${name.slice(1)}`,
    described,
    route: JSON.stringify(route),
    inputType: `${name}Input`,
    inputSchema: inputSchemaOf(described),
    answerType,
    answerSchema: answer.$ref === undefined ? answer : null,
    row: rows === undefined ? null : rows === null ? 'null' : `${answerType}[${JSON.stringify(rows)}][number]`,
  };
}

/** The field with the rows of a page; null: its pages have no single one; undefined: it does not answer in pages. */
function rowsField({ properties = {} }: JsonSchema): string | null | undefined {
  if (properties['next_offset'] === undefined) return undefined;
  const lists = Object.keys(properties).filter((name) => properties[name]!.type === 'array' && name !== 'next_calls');
  return lists.length === 1 ? lists[0]! : lists.includes('results') ? 'results' : null;
}

/** All that an operation takes, wherever it is sent, as one object. */
function inputSchemaOf({ parameters, requestBody }: DescribedOperation): JsonSchema {
  const body = requestBody?.content['application/json'].schema;
  const fields = parameters.map(({ name, description, schema }) => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(fields), ...body?.properties },
    required: [...parameters.filter(({ required }) => required).map(({ name }) => name), ...(body?.required ?? [])],
    additionalProperties: false,
  };
}

/** The module of the client that follows from the operations: their types, their routes, and a method for each. */
export function renderClientSource(document: ClientDocument): string {
  const operations = clientOperations(document);
  // The client's own module has the error body, because the rest of it reads that.
  const { Error: _, ...schemas } = document.components.schemas;
  requireFreeNames([...TAKEN_METHODS, ...operations.map(({ method }) => method)]);
  requireFreeNames([
    ...TAKEN_NAMES,
    ...Object.keys(schemas),
    ...operations.flatMap(({ inputType, answerType, answerSchema }) => [
      inputType,
      ...(answerSchema === null ? [] : [answerType]),
    ]),
  ]);
  return [
    `import { BaseClient, type OperationRoute } from './base-client.ts';\n`,
    `import type { CallOptions, ClientOptions } from './options.ts';\n\n`,
    `export * from './errors.ts';\n`,
    `export type * from './options.ts';\n\n`,
    `/** Version of this client, and of the service that it was made with. */\n`,
    `export const VERSION = ${JSON.stringify(VERSION)};\n\n`,
    ...Object.entries(schemas).map(([name, schema]) => typeDeclaration(name, schema)),
    ...operations.flatMap(({ inputType, inputSchema, answerType, answerSchema }) => [
      typeDeclaration(inputType, inputSchema),
      ...(answerSchema === null ? [] : [typeDeclaration(answerType, answerSchema)]),
    ]),
    `/** Types of all operations, by their id. */\nexport interface Operations {\n`,
    ...operations.map(
      ({ id, inputType, answerType, row }) =>
        `  ${id}: { input: ${inputType}; answer: ${answerType}${row === null ? '' : `; row: ${row}`} };\n`,
    ),
    `}\n/** Id of an operation: \`cve_lookup\`. */\nexport type OperationId = keyof Operations;\n\n`,
    `const ROUTES: Readonly<Record<OperationId, OperationRoute>> = {\n`,
    ...operations.map(({ id, route }) => `  ${id}: ${route},\n`),
    `};\n\n`,
    `/** A client of one service, with a method for each of its operations. */\n`,
    `export class SextantClient extends BaseClient<Operations> {\n`,
    `  /** Throws a TypeError for options that cannot work. */\n`,
    `  constructor(options: ClientOptions) {\n    super(ROUTES, options, \`sextant-client/\${VERSION}\`);\n  }\n`,
    ...operations.map(methodText),
    `}\n`,
  ].join('');
}

function typeDeclaration(name: string, schema: JsonSchema): string {
  const type = typeText(schema);
  const declared = type.startsWith('{') && type.endsWith('}') ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  return `${commentText(schema.description, '')}export ${declared}\n`;
}

function methodText({ id, method, described, inputType, inputSchema, answerType }: ClientOperation): string {
  const parameter = inputSchema.required!.length > 0 ? `input: ${inputType}` : `input: ${inputType} = {}`;
  return [
    `\n${commentText(`${described.summary}. ${described.description}`, '  ')}`,
    `  ${method}(${parameter}, options?: CallOptions): Promise<${answerType}> {\n`,
    `    return this.call('${id}', input, options);\n  }\n`,
  ].join('');
}

function requireFreeNames(names: readonly string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new Error(`${repeated} would stand twice in the client: choose another name`);
}

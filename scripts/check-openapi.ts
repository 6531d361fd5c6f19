import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createOpenApiDocument } from '../src/http/openapi.ts';
import { OPERATIONS } from '../src/operations/list.ts';
import { loadResponseExamples } from '../src/operations/load-response-examples.ts';
import { type RestOperation, restOperations } from '../src/engine/route.ts';
import { VERSION } from '../src/version.ts';

/** Checks the OpenAPI description of the service against the schema of OpenAPI, the rules of this file, and those of Redocly. */

const LINTER = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const RULES = fileURLToPath(new URL('redocly.yaml', import.meta.url));
/** Otherwise the linter asks its maker for a newer version and sends usage data. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const SCHEMA_NAME = /^(?:[A-Z][a-z0-9]*)+$/;

interface Described {
  operationId?: string;
  parameters?: { name: string; description?: string; examples?: object; required?: boolean }[];
  requestBody?: { content: Record<string, { examples?: object }> };
  responses: { 200: { content: { 'application/json': { examples?: Record<string, { value: unknown }> } } } };
}
interface Document {
  openapi: string;
  components: { schemas: Record<string, unknown> };
  paths: Record<string, Record<string, Described>>;
}

const document = createOpenApiDocument(OPERATIONS, VERSION, await loadResponseExamples()) as unknown as Document;
const problems = [...(await schemaProblems()), ...ownProblems(), ...lintProblems()];
if (problems.length === 0) {
  console.log(`OpenAPI ${document.openapi}: ${described().length} operations, no problem.`);
} else {
  for (const problem of problems) console.error(problem);
  console.error(`OpenAPI: ${problems.length} problem${problems.length === 1 ? '' : 's'}.`);
  process.exitCode = 1;
}

async function schemaProblems(): Promise<string[]> {
  const validator = new Validator();
  // As it is served: JSON leaves out properties that are undefined.
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  if (!valid) {
    const rows =
      typeof errors === 'string'
        ? [errors]
        : (errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
    return rows.map((row) => `schema: ${row}`);
  }
  return validator.version === '3.1' ? [] : [`schema: it is OpenAPI ${validator.version}, not 3.1`];
}

function ownProblems(): string[] {
  const all = described();
  const ids = all.map(({ operation }) => operation.operationId ?? '');
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  const missing = restOperations(OPERATIONS)
    .map(({ id }) => id)
    .filter((id) => !ids.includes(id));
  return [
    ...repeated.map((id) => `operationId ${id} stands twice`),
    ...missing.map((id) => `operation ${id} is not described: its path and method are taken by another one`),
    ...all.filter(({ operation }) => !hasExample(operation)).map(({ name }) => `${name}: no example`),
    ...all.flatMap(({ name, operation: { parameters = [] } }) =>
      parameters
        .filter(({ description }) => description === undefined)
        .map((parameter) => `${name}: give the input field ${parameter.name} a .meta({ description, examples })`),
    ),
    ...restOperations(OPERATIONS).flatMap(answerProblems),
    ...Object.keys(document.components.schemas)
      .filter((name) => !SCHEMA_NAME.test(name))
      .map((name) => `schema ${name}: names of schemas are in Pascal case`),
  ];
}

/** What is wrong with the description of an operation's answer: each needs a name, and an example that is as described. */
function answerProblems({ id, output }: RestOperation): string[] {
  const example = all200().get(id)?.examples;
  const wrong = Object.values(example ?? {}).filter(({ value }) => {
    const parsed = output.safeParse(value);
    // A field that is not described is left out by the parser.
    return !parsed.success || !isDeepStrictEqual(parsed.data, value);
  });
  return [
    ...(output.meta()?.id === undefined ? [`${id}: give its output schema an id, as lookupOutputSchema does`] : []),
    ...(example === undefined ? [`${id}: no example of its answer: npm run examples`] : []),
    ...wrong.map(() => `${id}: the example of its answer is not as described: npm run examples`),
  ];
}

/** Contents of the answers with status 200, by operation. */
function all200(): Map<string | undefined, { examples?: Record<string, { value: unknown }> }> {
  return new Map(
    described().map(({ operation }) => [operation.operationId, operation.responses[200].content['application/json']]),
  );
}

/** Whether the body or each required parameter has an example. Without required input the plain call is the example. */
function hasExample({ parameters = [], requestBody }: Described): boolean {
  if (requestBody !== undefined)
    return Object.values(requestBody.content).every(({ examples }) => examples !== undefined);
  return parameters.filter(({ required }) => required === true).every(({ examples }) => examples !== undefined);
}

function described(): { name: string; operation: Described }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}

function lintProblems(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document, null, 1));
    const options = ['lint', file, '--config', RULES, '--format', 'json', '--max-problems', '200'];
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [LINTER, ...options], {
      encoding: 'utf8',
      env: { ...process.env, ...OFFLINE },
    });
    if (error !== undefined) return [`redocly cannot be run: ${error.message}`];
    const found = problemsIn(stdout);
    return status !== 0 && found.length === 0 ? [`redocly failed (${status}): ${stderr.trim().slice(-500)}`] : found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface LintReport {
  problems: { ruleId: string; severity: string; message: string; location: { pointer?: string }[] }[];
}

function problemsIn(output: string): string[] {
  const start = output.indexOf('{');
  if (start === -1) return [];
  const { problems } = JSON.parse(output.slice(start, output.lastIndexOf('}') + 1)) as LintReport;
  return problems.map(
    ({ ruleId, severity, message, location }) =>
      `redocly ${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

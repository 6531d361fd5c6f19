import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commandErrorMessage } from '../../src/cli/report-failure.ts';
import { toApiError, type ApiError } from '../../src/errors.ts';
import { toolErrorMessage } from '../../src/mcp/call-tool.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import type { Operation } from '../../src/engine/operation.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';
import { runOperation } from '../../src/engine/runner.ts';
import { startService, type TestService } from '../support/service.ts';
import { buildFixtureCatalog } from './fixture-catalog.ts';
import { FEEDS } from '../../src/feeds/list.ts';

const synced = await startService({ after }, { sources: 'lab' });
const unsynced = await startService({ after }, { catalog: buildFixtureCatalog(FEEDS.map(({ id }) => id)) });

/** Well-formed, of every kind of identifier, and known to nobody. */
const UNKNOWN: readonly string[] = [
  'CVE-2099-99999',
  'CWE-99998',
  'AML.T9999',
  'AML.CS9999',
  'T9999',
  'NoSuchDefense',
  'D3-ZZZ',
  '00000000-0000-4000-8000-000000000000',
  'nonexistent.example',
  'AS4199999999',
  'CVSS:4.0/AV:N',
  'not an identifier / at all',
];

/** An address of REST in a message; another service's address is none. */
const ADDRESS = /(?<![\w.])\/(?:v1|mcp|docs)\b|\b(?:GET|POST) \//;

describe('what a refusal says names what the caller can ask where the call was made', () => {
  for (const operation of OPERATIONS.filter(({ personal }) => personal === undefined)) {
    test(operation.id, async () => {
      const refusals = [
        ...(await refusalsOf(synced, operation)),
        ...(await refusalsOf(unsynced, operation)),
        ...wrongInputs(operation),
      ];
      for (const refusal of refusals) {
        const overMcp = toolErrorMessage(refusal, OPERATIONS);
        const onCommandLine = commandErrorMessage(refusal);
        for (const message of [overMcp, onCommandLine, refusal.baseMessage]) assert.doesNotMatch(message, ADDRESS);
        if (refusal.operationHint === null) continue;
        const { operation: id, address } = refusal.operationHint;
        const pointed = OPERATIONS.find((other) => other.id === id)!;
        assert.equal(overMcp.includes(` ${id} `), pointed.tool !== undefined, overMcp);
        assert.ok(onCommandLine.includes(` sextant ${id.replaceAll('_', '-')} `), onCommandLine);
        assert.ok(refusal.message.includes(` ${address} `) && /^(?:GET|POST) \/v1\//.test(address), refusal.message);
      }
    });
  }

  test('the walk meets refusals with a way on', async () => {
    const found = await Promise.all(
      ['cve_lookup', 'kev_detail', 'd3fend_defense_lookup', 'sigma_rule_lookup'].map((id) =>
        refusalsOf(synced, OPERATIONS.find((operation) => operation.id === id)!),
      ),
    );
    for (const refusals of found) assert.ok(refusals.some(({ operationHint }) => operationHint !== null));
    const { body } = await synced.get('/v1/d3fend/NoSuchDefense');
    assert.match(body.error.message, /\. GET \/v1\/d3fend\/defenses finds them by words\.$/);
  });
});

/** Of every unknown thing that may be asked for by the operation's one required text. */
async function refusalsOf({ services }: TestService, operation: Operation): Promise<ApiError[]> {
  const field = operation.subject?.field ?? /[:*](\w+)/.exec(operation.route ?? '')?.[1];
  const inputs = [
    ...operation.examples.map(({ input }) => input),
    ...(field === undefined ? [] : UNKNOWN.map((value) => ({ [field]: value }))),
  ];
  const outcomes = await Promise.allSettled(
    inputs.map(async (input) =>
      runOperation(operation, parseInput(operation, input, OPERATIONS), services, {
        disconnectSignal: () => new AbortController().signal,
      }),
    ),
  );
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [toApiError(outcome.reason)] : []));
}

function wrongInputs(operation: Operation): ApiError[] {
  const fields = Object.keys(operation.input.shape);
  const inputs = [
    {},
    { nope: 1 },
    ...fields.flatMap((field) => [null, '', -1, 'x'.repeat(5000), '/v1x', [], {}].map((value) => ({ [field]: value }))),
  ];
  return inputs.flatMap((input) => {
    try {
      parseInput(operation, input, OPERATIONS);
      return [];
    } catch (error) {
      return [toApiError(error)];
    }
  });
}

test('no text of an operation or of MCP names an address of REST', () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = ['operations', 'mcp', 'cli', 'analysis'].flatMap((room) =>
    (readdirSync(join(src, room), { recursive: true }) as string[])
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(src, room, file)),
  );
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').split('\n');
    for (const [at, line] of lines.entries()) {
      if (/^\s*(\/?\*|\/\/)|\broute: ['`]|\baddress: '/.test(line)) continue;
      assert.doesNotMatch(line, /['`" ](?:GET |POST )?\/v1\//, `${file}:${at + 1}`);
    }
  }
});

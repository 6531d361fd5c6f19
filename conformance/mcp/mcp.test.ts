import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { McpEndpoint } from '../../src/mcp/http-endpoint.ts';
import { temporaryFolder } from '../../test/operations/fixture-catalog.ts';
import { startService } from '../../test/support/service.ts';
import expectedFailures from './expected-failures.json' with { type: 'json' };
import { createFixtureServer } from './fixtures.ts';

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
/** All server scenarios of the suite, so that one that is not run is noticed. */
const SCENARIOS = 32;
const RESULT = /^server-(.+)-\d{4}-\d{2}-\d{2}T/;
const TIMEOUT_MS = 180_000;

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

const service = await startService(
  { after },
  {
    mcp: (mcp) =>
      new McpEndpoint(mcp, { host: '127.0.0.1', allowedOrigins: [] }, { createServer: createFixtureServer }),
  },
);
const results = await runSuite(`${await service.listen()}/mcp`);
const reasons: ReadonlyMap<string, string> = new Map(
  expectedFailures.map(({ scenario, reason }) => [scenario, reason]),
);

describe('conformance: MCP server scenarios of @modelcontextprotocol/conformance', () => {
  it(`are all run: ${SCENARIOS}`, () => {
    assert.equal(results.size, SCENARIOS);
    assert.deepEqual(
      [...reasons.keys()].filter((scenario) => !results.has(scenario)),
      [],
      'expected to fail, and no scenario',
    );
  });

  for (const [scenario, checks] of results) {
    const reason = reasons.get(scenario);
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    // A scenario that only warns and informs has shown nothing.
    const passes = failed.length === 0 && checks.some(({ status }) => status === 'SUCCESS');
    it(`${scenario}${reason === undefined ? '' : ` (expected to fail: ${reason})`}`, () => {
      const found = failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('; ');
      if (reason === undefined) assert.ok(passes, found || 'nothing succeeded');
      else assert.ok(!passes, 'passes: take it from expected-failures.json');
    });
  }
});

/** Every scenario's checks, by scenario. The suite talks to our server alone. */
async function runSuite(url: string): Promise<Map<string, Check[]>> {
  const folder = temporaryFolder();
  const words = [SUITE, 'server', '--url', url, '--suite', 'all', '--output-dir', folder];
  const child = spawn(process.execPath, words, { stdio: 'ignore', timeout: TIMEOUT_MS });
  await once(child, 'exit');
  const found = readdirSync(folder).map((name): [string, Check[]] => {
    const scenario = RESULT.exec(name)?.[1] ?? name;
    return [scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))];
  });
  return new Map(found);
}

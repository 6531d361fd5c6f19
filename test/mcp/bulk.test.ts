import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type RunnerDeps, runOperationToJson } from '../../src/engine/runner.ts';
import type { UnparsedCall } from '../../src/engine/tool-call-context.ts';
import { McpService } from '../../src/mcp/service.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { contextOf, fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { chance } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { call } from './rpc.ts';

const service = await startService({ after }, { sources: 'lab' });
const BUDGET = 24_000;

/** Of each bulk tool: items of every kind, and the status that each must end in. */
const TOOLS: Record<string, { list: string; field: string; answer: string; items: Record<string, string> }> = {
  bulk_cve_lookup: {
    list: 'cve_ids',
    field: 'cve_id',
    answer: 'cve',
    items: {
      [IDS.log4shell]: 'ok',
      [IDS.heartbleed]: 'ok',
      [IDS.rejected]: 'ok',
      [IDS.unknown]: 'not_found',
      'CVE-1999-99999': 'not_found',
      'CVE-1': 'invalid_format',
      '8.8.8.8': 'invalid_format',
      '': 'invalid_format',
      '\u202e x': 'invalid_format',
    },
  },
  bulk_atlas_technique_lookup: {
    list: 'technique_ids',
    field: 'technique_id',
    answer: 'technique',
    items: { 'AML.T0051': 'ok', 'AML.T9999': 'not_found', T1190: 'invalid_format' },
  },
  bulk_sigma_rule_lookup: {
    list: 'rule_ids',
    field: 'rule_id',
    answer: 'rule',
    items: {
      '5ea8faa8-db8b-45be-89b0-151b84c82702': 'ok',
      '00000000-0000-4000-8000-000000000000': 'not_found',
      x: 'invalid_format',
    },
  },
  bulk_ioc_lookup: {
    list: 'indicators',
    field: 'indicator',
    answer: 'ioc',
    items: { '8.8.8.8': 'ok', 'evil[.]example[.]com': 'ok', 'no indicator': 'invalid_format' },
  },
};

describe('over MCP every id of a bulk call has its outcome, at its place', () => {
  test('the table has all of them', () => {
    const bulk = OPERATIONS.filter(({ bulk, tool }) => bulk?.answerField !== undefined && tool !== undefined);
    assert.deepEqual(bulk.map(({ id }) => id).toSorted(), Object.keys(TOOLS).toSorted());
  });

  for (const [name, { list, field, answer, items }] of Object.entries(TOOLS)) {
    test(name, async () => {
      const random = chance(20_260_722);
      for (let round = 0; round < 20; round++) {
        const ids = Array.from({ length: random.below(51) }, () => random.pick(Object.keys(items)));
        const { body } = await call(service, name, { [list]: ids });
        assert.equal(body.results.length, ids.length);
        for (const [at, row] of body.results.entries()) {
          const given = ids[at]!;
          assert.equal(row.status, items[given], given);
          if (items[given] !== 'invalid_format') assert.ok(sameThing(row[field], given), given);
          assert.equal(row[answer] !== null, row.status === 'ok', given);
          assert.equal(row.error === null, row.status === 'ok', given);
        }
        assert.ok(Buffer.byteLength(JSON.stringify(body)) <= BUDGET);
      }
    });
  }
});

function sameThing(shown: string, given: string): boolean {
  return shown.toLowerCase() === given.replaceAll('[.]', '.').toLowerCase() || shown === given;
}

describe('fifty known-exploited CVEs', { skip: noFeeds }, () => {
  test('have severity, EPSS, KEV and patch of each in one answer', async () => {
    const { services } = contextOf((await fullCatalog()).folder);
    const mcp = new McpService(OPERATIONS, services);
    const toolSet = mcp.toolSets.select({ tools: '', mode: '' });
    const callContext = {
      requestId: 'test',
      run: ({ operation, parseInput, disconnectSignal }: UnparsedCall, services: RunnerDeps) =>
        runOperationToJson(operation, parseInput(), services, { disconnectSignal }),
      recordCall: () => {},
      logInternalError: assert.fail,
    };
    const ids = (await (await fullCatalog()).ask('cves_kev', { limit: 200 }))['results'].map(
      ({ cve_id }: { cve_id: string }) => cve_id,
    );
    for (const count of [20, 50]) {
      const cve_ids = ids.slice(100, 100 + count);
      const gone = () => new AbortController().signal;
      const call = { name: 'bulk_cve_lookup', rawInput: { cve_ids }, toolSet };
      const { json } = (await mcp.answerCall(call, callContext as never, gone, 'cut'))!;
      const { results, trimmed, summary } = JSON.parse(json.toString());
      assert.ok(json.length <= BUDGET, `${json.length} bytes`);
      assert.equal(results.length, count);
      for (const { status, cve } of results) {
        assert.equal(status, 'ok');
        assert.equal(cve.kev.in_kev, true);
        assert.match(cve.action.deadline, /^\d{4}-\d\d-\d\d$/);
        assert.ok(['immediate', 'urgent'].includes(cve.action.urgency));
        for (const name of ['severity', 'cvss_v3', 'epss', 'cwe_id', 'patch_url', 'summary']) assert.ok(name in cve);
      }
      assert.match(trimmed, /cve has severity/);
      assert.match(summary, new RegExp(`^${count} of ${count} ids answered\\. .*trimmed`));
    }
  });
});

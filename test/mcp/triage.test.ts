import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { FEEDS_NOW, fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { startService, type TestService } from '../support/service.ts';
import { CLIENTS, connect, type TestClient } from './clients.ts';

/**
 * A client triages a CVE from the prompt to the defenses: it follows the steps that the prompt lays out, fills each in from the
 * answers before, and never has to turn back.
 */
async function triage(client: TestClient, cveId: string, technique: string): Promise<string[]> {
  const text = await client.prompt('contrast_triage', { target: cveId, perspective: 'blue' });
  const listed = new Set((await client.listTools()).map(({ name }) => name));
  const plan = [...text.matchAll(/^\d+\. ([a-z0-9_]+): ([a-z_]+) = /gm)].map(([, tool, input]) => ({
    tool: tool!,
    input: input!,
  }));
  assert.doesNotMatch(text, /^Not at hand/m, 'every step has its tool');
  let weakness: string | null = null;
  for (const { tool, input } of plan) {
    assert.ok(listed.has(tool), tool);
    const value: string | null | undefined = { cve_id: cveId, cwe_id: weakness, attack_technique_id: technique }[input];
    assert.ok(value, `${tool} wants ${input}`);
    const { isError, content, structuredContent: answer } = await client.call(tool, { [input]: value });
    assert.ok(isError !== true, content[0]!.text);
    assert.ok(answer.summary.length > 0 && answer.verdict.sources_queried.length > 0);
    if (tool === 'cve_lookup') {
      assert.equal(answer.cve_id, cveId);
      weakness = answer.cwe_id;
      const offered = answer.next_calls.map((call: { tool: string }) => call.tool);
      assert.ok(
        offered.includes('kev_detail') && offered.includes('cwe_lookup'),
        'the answer leads on as the prompt does',
      );
    }
    if (tool === 'kev_detail') assert.ok(answer.required_action.length > 0 && answer.date_added);
    if (tool === 'cwe_lookup') assert.ok(answer.mitigations.length > 0);
    if (tool === 'd3fend_defense_for_attack') {
      assert.ok(answer.defenses.length > 0);
      const { defense_id } = answer.defenses[0];
      const defense = await client.read(`d3fend://defense/${defense_id}`);
      assert.equal(defense.defense_id, defense_id);
      assert.ok(defense.attack_techniques.includes(technique));
    }
  }
  return plan.map(({ tool }) => tool);
}

const CHAIN = ['cve_lookup', 'kev_detail', 'cwe_lookup', 'd3fend_defense_for_attack'];

function walks(
  kind: string,
  skip: string | false,
  start: () => Promise<TestService>,
  cveId: string,
  technique: string,
): void {
  describe(kind, { skip }, async () => {
    if (skip !== false) return;
    const url = `${await (await start()).listen()}/mcp`;
    for (const name of CLIENTS) {
      test(`${name} gets from the prompt to the defenses without a wrong turn`, async (t) => {
        const client = await connect(name, { url });
        t.after(() => client.close());
        assert.deepEqual(await triage(client, cveId, technique), CHAIN);
      });
    }
  });
}

walks('over the fixture', false, () => startService({ after }), 'CVE-2021-44228', 'T1059');

walks(
  'over all feeds',
  noFeeds,
  async () => {
    const service = await startService({ after }, { catalog: fullCatalog().then(({ folder }) => folder) });
    service.clock.now = FEEDS_NOW;
    return service;
  },
  'CVE-2021-44228',
  'T1190',
);

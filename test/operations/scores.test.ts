import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { loadCveRiskSummary } from '../../src/operations/cve/lib/cve-risk-summary.ts';
import { startService } from '../support/service.ts';
import { IDS, NOW } from './fixture-facts.ts';

const service = await startService({ after });
const read = async (path: string) => (await service.get(path)).body;

describe('risk score', () => {
  // CVSS x 0.20 + EPSS x 0.35 + KEV x 0.30 + PoC x 0.15, each on 0-100; boosters multiply; clamped.
  test('all inputs at their worst are clamped to 100', async () => {
    const body = await read(`/v1/cve/${IDS.log4shell}/risk_score`);
    assert.deepEqual([body.score, body.label], [100, 'CRITICAL']);
    assert.deepEqual(body.boosters_applied, ['kev_with_public_poc', 'critical_severity_high_epss']);
    assert.deepEqual(body.components.weighted_breakdown, { cvss: 20, epss: 33.03, kev: 30, poc: 15 });
  });

  test('known exploited with a public exploit: (17.6 + 17.5 + 30 + 15) x 1.15', async () => {
    const body = await read(`/v1/cve/${IDS.eternalBlue}/risk_score`);
    assert.deepEqual([body.score, body.label, body.boosters_applied], [92.1, 'CRITICAL', ['kev_with_public_poc']]);
  });

  test('CVSS 7.5 alone: 15', async () => {
    const body = await read(`/v1/cve/${IDS.heartbleed}/risk_score`);
    assert.deepEqual([body.score, body.label, body.boosters_applied], [15, 'LOW', []]);
  });

  test('published two days ago: 19.6 x 1.05, EPSS unknown', async () => {
    const body = await read(`/v1/cve/${IDS.awaitingAnalysis}/risk_score`);
    assert.deepEqual(
      [body.score, body.boosters_applied, body.missing_inputs],
      [20.6, ['published_within_7_days'], ['epss_score']],
    );
    assert.equal(body.components.epss_score, null);
  });

  test('a score without CVSS is a lower bound, and the first sentence says so', async () => {
    const body = await read(`/v1/cve/${IDS.noScore}/risk_score`);
    assert.deepEqual(body.missing_inputs.includes('cvss_v3'), true);
    assert.match(body.summary, /^[^.]*risk at least \d/);
    assert.doesNotMatch((await read(`/v1/cve/${IDS.log4shell}/risk_score`)).summary, /at least/);
  });

  test('a deadline that is over is not left to the next regular cycle', async () => {
    // Critical, automatable and total by its vector, published in June 2025: 60 days where it is not exposed.
    const body = await read(`/v1/cve/${IDS.v4Only}/risk_score`);
    assert.deepEqual([body.action.urgency, body.action.deadline], ['scheduled', '2025-07-31']);
    assert.match(body.recommendation, /^Overdue: patch/);
    assert.doesNotMatch(body.recommendation, /cycle/);
  });

  test('what technologies and dependencies are ranked by is this score', async () => {
    const catalog = new CatalogView(service.services.catalog.current!, new Evidence({}, NOW));
    for (const id of [IDS.log4shell, IDS.eternalBlue, IDS.heartbleed, IDS.v2Only, IDS.v4Only, IDS.noScore]) {
      const { score } = await read(`/v1/cve/${id}/risk_score`);
      assert.equal(loadCveRiskSummary(id, catalog, NOW).risk, score, id);
    }
  });

  test('exploits that the score does not count are named as such', async () => {
    const reasonOf = async (id: string) =>
      (await read(`/v1/cve/${id}/risk_score`)).next_calls.find(
        ({ tool }: { tool: string }) => tool === 'exploit_lookup',
      ).reason;
    assert.match(await reasonOf(IDS.heartbleed), /outside Exploit-DB/);
    assert.equal(await reasonOf(IDS.log4shell), 'The public exploits.');
  });

  test('an unknown CVE is 404, a malformed one 400', async () => {
    assert.equal((await service.get(`/v1/cve/${IDS.unknown}/risk_score`)).status, 404);
    assert.equal((await service.get('/v1/cve/log4shell/risk_score')).status, 400);
  });
});

describe('CVSS details', () => {
  const details = (vector: string) => service.get(`/v1/cvss/details?vector=${encodeURIComponent(vector)}`);

  // Scores from FIRST's calculators and the CVSS v3.1 examples document.
  for (const [vector, base, severity] of [
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10, 'CRITICAL'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1, 'MEDIUM'],
    ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4, 'MEDIUM'],
    ['CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6, 'MEDIUM'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0, 'NONE'],
  ] as const) {
    test(`${vector} is ${base}`, async () => {
      const { status, body } = await details(vector);
      assert.deepEqual([status, body.base_score, body.base_severity, body.vector], [200, base, severity, vector]);
      assert.equal(body.temporal_score, null);
    });
  }

  test('temporal metrics: 7.8 x 0.97 x 0.95 rounded up', async () => {
    const { body } = await details('CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H/E:F/RL:O/RC:C');
    assert.deepEqual([body.base_score, body.temporal_score], [7.8, 7.2]);
  });

  test('every metric in words', async () => {
    const { body } = await details('CVSS:3.1/AV:A/AC:H/PR:L/UI:R/S:C/C:H/I:L/A:N');
    assert.deepEqual(body.metrics, {
      attack_vector: 'ADJACENT_NETWORK',
      attack_complexity: 'HIGH',
      privileges_required: 'LOW',
      user_interaction: 'REQUIRED',
      scope: 'CHANGED',
      confidentiality_impact: 'HIGH',
      integrity_impact: 'LOW',
      availability_impact: 'NONE',
    });
  });

  for (const [what, vector] of [
    ['v2', 'AV:N/AC:L/Au:N/C:P/I:P/A:P'],
    ['v4', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'],
    ['malformed', 'CVSS:3.1/AV:N/AC:L'],
    ['empty', ''],
    ['noise', '\u0000\u202e<script>'],
  ] as const) {
    test(`${what} vectors are 400, with an example of what is accepted`, async () => {
      const { status, body } = await details(vector);
      assert.deepEqual([status, body.error.code], [400, 'invalid_argument']);
      assert.match(body.error.message, /CVSS:3\.1\/AV:N/);
    });
  }

  test('a vector of 501 characters, or none, is 422', async () => {
    for (const path of [`/v1/cvss/details?vector=${'A'.repeat(501)}`, '/v1/cvss/details']) {
      const { status, body } = await service.get(path);
      assert.deepEqual([status, body.detail[0].loc], [422, ['query', 'vector']]);
    }
  });
});

describe('known-exploited detail', () => {
  test('counts the days to the due date by the UTC day', async (t) => {
    const { clock, get } = await startService(t);
    const daysAt = async (time: string) => {
      clock.now = new Date(time);
      return (await get(`/v1/kev/${IDS.eternalBlue}`)).body.days_remaining;
    };
    assert.equal(await daysAt('2026-01-15T12:00:00Z'), 5);
    assert.equal(await daysAt('2026-01-20T23:59:59Z'), 0);
    assert.equal(await daysAt('2026-01-21T00:00:01Z'), -1);
  });

  test('without a due date the days are unknown', async () => {
    const body = await read(`/v1/kev/${IDS.kevOnly}`);
    assert.deepEqual([body.due_date, body.days_remaining, body.cwe_list], [null, null, ['CWE-89']]);
  });

  test('a CVE that is not listed is 404', async () => {
    assert.equal((await service.get(`/v1/kev/${IDS.heartbleed}`)).status, 404);
  });

  test('lists come with the newest addition first', async () => {
    const body = await read('/v1/cves/kev');
    const ids = body.results.map((item: { cve_id: string }) => item.cve_id);
    assert.deepEqual(ids, [IDS.eternalBlue, IDS.kevOnly, IDS.log4shell]);
  });
});

describe('weakness', () => {
  for (const form of ['CWE-79', 'cwe-79', 'CWE%2079', '79', 'CWE-079']) {
    test(`${form} is CWE-79`, async () => assert.equal((await read(`/v1/cwe/${form}`)).cwe_id, 'CWE-79'));
  }

  test('slim: three mitigations, three examples, true counts', async () => {
    const body = await read('/v1/cwe/79');
    assert.deepEqual(
      [body.mitigations.length, body.total_mitigations, body.examples.length, body.total_examples],
      [3, 5, 3, 4],
    );
  });

  test('full: all of them, and the extended description, null where there is none', async () => {
    const body = await read('/v1/cwe/89?include=full');
    assert.deepEqual([body.mitigations.length, body.examples.length, body.extended_description], [5, 4, null]);
  });

  test('lines of parents that meet again are told once, nearest first', async () => {
    const body = await read('/v1/cwe/79');
    const chain = body.parent_chain.map((relative: { cwe_id: string }) => relative.cwe_id);
    assert.deepEqual(chain, ['CWE-74', 'CWE-116', 'CWE-707']);
    assert.deepEqual(
      body.child_chain.map((relative: { cwe_id: string }) => relative.cwe_id),
      ['CWE-80'],
    );
  });

  test('counts the CVEs that search finds by it', async () => {
    const { related_cves_count } = await read('/v1/cwe/79');
    assert.equal(related_cves_count, 3);
    assert.equal((await read('/v1/cves?cwe_id=CWE-79')).total, related_cves_count);
  });

  for (const outside of ['CWE-16', 'CWE-99999']) {
    test(`${outside}, outside of view 1000, is 404`, async () => {
      assert.equal((await service.get(`/v1/cwe/${outside}`)).status, 404);
    });
  }
});

test('EPSS of a CVE, with the day and model of the scores', async () => {
  const body = await read(`/v1/epss/${IDS.log4shell}`);
  assert.deepEqual(
    [body.score, body.percentile, body.score_date, body.model_version],
    [0.94358, 0.99957, '2026-01-15', 'v2025.03.14'],
  );
  assert.match(body.summary, /94\.4 % probability .* higher than 99\.9 % of all CVEs/, 'it is not higher than all');
  assert.equal((await service.get(`/v1/epss/${IDS.noScore}`)).status, 404);
});

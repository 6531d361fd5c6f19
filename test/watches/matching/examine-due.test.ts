import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ApiError } from '../../../src/errors.ts';
import type { CatalogHandle } from '../../../src/catalog/catalog-handle.ts';
import { loadResponseExamples } from '../../../src/operations/load-response-examples.ts';
import { examineDue } from '../../../src/watches/matching/examine-due.ts';
import { MemoryMatchStore, watchOf } from '../../support/memory-match-store.ts';

const HOUR_MS = 3_600_000;

/** Answers as the reference documentation shows them, which a test may change. */
async function lab() {
  const examples = await loadResponseExamples();
  const answerOf = (id: string): any => structuredClone(examples[id]!.value);
  const answers: Record<string, any> = {};
  for (const id of ['audit_domain', 'email_security_posture', 'ioc_lookup']) answers[id] = answerOf(id);
  const store = new MemoryMatchStore();
  const clock = { ms: Date.parse('2026-11-20T08:00:00Z') };
  const ask = async (id: string) => answers[id] ?? Promise.reject(new ApiError('upstream_timeout', 'No answer.'));
  const deps = { store, ask, catalog: null as unknown as CatalogHandle, now: () => new Date(clock.ms) };
  /** A day later: what is told of it. */
  const examine = async (afterMs = 26 * HOUR_MS): Promise<{ count: number; what: string[] }> => {
    clock.ms += afterMs;
    const known = new Set(store.events.keys());
    const count = await examineDue(deps, new AbortController().signal);
    const fresh = [...store.events.values()].filter(({ id }) => !known.has(id));
    return { count, what: fresh.map(({ what }) => what) };
  };
  const watch = (subject: Parameters<typeof watchOf>[1], conditions = {}): void => {
    const one = watchOf('watch', subject, { nextExaminationAt: new Date(clock.ms) });
    store.add({ ...one, conditions: { ...one.conditions, ...conditions } });
  };
  return { answers, store, examine, watch, clock };
}

suite('examinations of a domain', () => {
  const domain = { kind: 'domain', domain: 'example.com' } as const;

  test('the first one keeps what it saw; the same again is no change', async () => {
    const { store, examine, watch, clock } = await lab();
    watch(domain);
    assert.deepEqual(await examine(0), { count: 1, what: [] });
    const nextMs = store.examinations.get('watch')!.nextAt.getTime() - clock.ms;
    assert.ok(nextMs >= 24 * HOUR_MS && nextMs <= 25 * HOUR_MS);
    assert.deepEqual(await examine(HOUR_MS), { count: 0, what: [] });
    assert.deepEqual(await examine(), { count: 1, what: [] });
  });

  test('what is new, gone and changed is told, worst first', async () => {
    const { answers, store, examine, watch } = await lab();
    watch(domain);
    await examine(0);
    const { report } = answers['audit_domain'];
    report.dns.a = ['192.0.2.7'];
    report.dns.ns.reverse();
    report.ssl.issuer = 'Other CA';
    report.ssl.grade = 'B';
    report.ssl.caps = [{ id: 'tls_1_0', at_best: 'B', severity: 'HIGH', reason: 'TLS 1.0 is offered.', remedy: '' }];
    const [noReports] = answers['email_security_posture'].all_findings;
    Object.assign(noReports, { id: 'dmarc_none', severity: 'CRITICAL', description: 'The DMARC policy is none.' });
    const { what } = await examine();
    assert.deepEqual(what, [
      'New, CRITICAL: The DMARC policy is none. New, HIGH: TLS 1.0 is offered. TLS grade changed from F to B. ' +
        'Addresses: new 192.0.2.7; gone 5.57.163.122. Certificate issuer changed from Lab Intermediate CA to Other CA. And 2 more changes.',
    ]);
    const [event] = [...store.events.values()];
    assert.equal(event!.why, 'example.com is watched: 7 things are not as on 2026-11-20.');
    assert.deepEqual(
      event!.changes.slice(-2).map(({ change, field }) => `${change} ${field}`),
      ['removed TLS not_yet_valid', 'removed Mail dmarc_no_reports'],
    );
    assert.deepEqual((await examine()).what, []);
  });

  test('a source that failed is no change, then or when it answers again', async () => {
    const { answers, examine, watch } = await lab();
    watch(domain);
    await examine(0);
    const whole = structuredClone(answers);
    const { report } = answers['audit_domain'];
    Object.assign(report, { ssl: null, whois: null, threat: null, reputation: null });
    Object.assign(report.dns, { a: null, aaaa: null, mx: null, ns: null });
    report.risk.grade = 'A+';
    answers['audit_domain'].live_headers = null;
    answers['audit_domain'].verdict.sources_unavailable = ['dns', 'rdap', 'tls', 'web'];
    for (const finding of answers['email_security_posture'].all_findings) finding.status = 'unknown';
    answers['email_security_posture'].posture_grade = 'F';
    assert.deepEqual((await examine()).what, []);
    delete answers['audit_domain'];
    delete answers['email_security_posture'];
    assert.deepEqual(await examine(), { count: 1, what: [] });
    // Nobody answered: it is tried again soon.
    assert.deepEqual(await examine(2 * HOUR_MS), { count: 1, what: [] });
    Object.assign(answers, whole);
    assert.deepEqual(await examine(2 * HOUR_MS), { count: 1, what: [] });
    answers['audit_domain'].report.ssl.grade = 'A';
    assert.deepEqual((await examine()).what, ['TLS grade changed from F to A.']);
  });

  test('findings below the severity that is asked for are not told', async () => {
    const { answers, examine, watch } = await lab();
    watch(domain, { severity_min: 'HIGH' });
    await examine(0);
    const add = (id: string, severity: string): void =>
      answers['audit_domain'].report.ssl.caps.push({ id, at_best: 'B', severity, reason: `${id}.`, remedy: '' });
    add('small', 'MEDIUM');
    add('large', 'HIGH');
    assert.deepEqual((await examine()).what, ['New, HIGH: large.']);
  });
});

test('an indicator: lists that name it, not those that did not answer', async () => {
  const { answers, examine, watch, store } = await lab();
  watch({ kind: 'indicator', indicator: 'evil.example.com' });
  await examine(0);
  const { sources } = answers['ioc_lookup'];
  sources.threatfox.status = 'unavailable';
  answers['ioc_lookup'].threat_level = 'unknown';
  assert.deepEqual((await examine()).what, []);
  sources.threatfox.status = 'listed';
  answers['ioc_lookup'].threat_level = 'high';
  assert.deepEqual((await examine()).what, [
    'Threat level changed from none to high. threatfox changed from not listed to listed.',
  ]);
  assert.deepEqual([...store.events.values()][0]!.about, { kind: 'indicator', indicator: 'evil.example.com' });
});

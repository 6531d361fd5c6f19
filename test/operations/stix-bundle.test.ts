import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stixBundle } from '../../src/operations/indicators/lib/stix-bundle.ts';

type Answer = Parameters<typeof stixBundle>[0][number];
const NOW = new Date('2026-01-20T00:00:00Z');
const SILENT: Answer['sources']['tor'] = { status: 'not_listed', count: 0, listings: [] };

const answer = (more: Partial<Answer>): Answer => ({
  indicator: 'evil.example',
  type: 'domain',
  threat_level: 'none',
  threat_score: 0,
  threat_reasons: [],
  confidence: { value: 0, sources: [], agreement: 0 },
  known_benign: null,
  warning_lists: [],
  sources: { threatfox: SILENT, feodo: SILENT, urlhaus: SILENT, malwarebazaar: SILENT, firehol: SILENT, tor: SILENT },
  summary: '',
  verdict: {} as Answer['verdict'],
  next_calls: [],
  ...more,
});
const listed = (more: Partial<Answer> = {}): Answer =>
  answer({
    threat_level: 'high',
    threat_score: 63,
    threat_reasons: ['ThreatFox: botnet'],
    warning_lists: [{ name: 'Top', category: 'known', description: '', as_of: null, matched: 'evil.example' }],
    ...more,
    sources: {
      ...answer({}).sources,
      threatfox: {
        status: 'listed',
        count: 2,
        listings: [
          {
            threat: 'botnet_cc',
            malware: null,
            confidence: 75,
            online: null,
            tags: [],
            first_seen: '2026-01-01T00:00:00.000Z',
            last_seen: '2026-01-10T00:00:00.000Z',
            reference: 'https://threatfox.example/ioc/1',
          },
        ],
      },
    },
  });
const objects = (...answers: Answer[]): Record<string, any>[] => (stixBundle(answers, NOW) as any).objects;
const ofType = (type: string, ...answers: Answer[]) => objects(...answers).filter((object) => object.type === type);

// Ids that the reference implementation in Python (stix2) gives these observables.
for (const [type, indicator, name, id] of [
  ['ip', '198.51.100.3', 'ipv4-addr', '28bb3599-77cd-5a82-a950-b5bc3caf07c4'],
  ['domain', 'example.com', 'domain-name', 'bedb4899-d24b-5401-bc86-8f6b4cc18ec7'],
  ['domain', 'google.com', 'domain-name', 'dd686e37-6889-53bd-8ae1-b1a503452613'],
] as const) {
  test(`the id of ${indicator} follows from its value`, () => {
    const [observable] = ofType(name, answer({ indicator, type }));
    assert.deepEqual([observable!.id, observable!.value], [`${name}--${id}`, indicator]);
  });
}

test('each kind is its type of observable and its pattern', () => {
  for (const [type, indicator, name, pattern] of [
    ['ip', '2001:db8::1', 'ipv6-addr', "[ipv6-addr:value = '2001:db8::1']"],
    ['url', "http://e.example/it's", 'url', "[url:value = 'http://e.example/it\\'s']"],
    ['hash', 'd41d8cd98f00b204e9800998ecf8427e', 'file', "[file:hashes.'MD5' = 'd41d8cd98f00b204e9800998ecf8427e']"],
  ] as const) {
    assert.equal(ofType(name, listed({ type, indicator })).length, 1, name);
    assert.equal(ofType('indicator', listed({ type, indicator }))[0]!.pattern, pattern);
  }
});

test('what no list names is an observable alone', () =>
  assert.deepEqual(
    objects(answer({})).map(({ type }) => type),
    ['identity', 'domain-name'],
  ));

test('objects have what STIX 2.1 requires, and refer to one another', () => {
  const all = objects(listed());
  for (const object of all) {
    assert.equal(object.spec_version, '2.1');
    assert.match(
      object.id,
      new RegExp(`^${object.type}--[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
    );
    if (object.type !== 'domain-name')
      assert.deepEqual([object.created, object.modified], Array(2).fill('2026-01-20T00:00:00.000Z'));
  }
  const by = Object.fromEntries(all.map((object) => [object.type, object]));
  const indicator = by['indicator']!;
  assert.deepEqual(
    [indicator.pattern_type, indicator.valid_from, indicator.confidence, indicator.indicator_types],
    ['stix', '2026-01-10T00:00:00.000Z', 63, ['malicious-activity']],
  );
  assert.deepEqual(indicator.labels, ['threat-level:high', 'warning-list:Top']);
  const observed = by['observed-data']!;
  assert.deepEqual(observed.object_refs, [by['domain-name']!.id]);
  assert.deepEqual([observed.first_observed, observed.number_observed], ['2026-01-01T00:00:00.000Z', 2]);
  const { relationship_type, source_ref, target_ref } = by['relationship']!;
  assert.deepEqual([relationship_type, source_ref, target_ref], ['based-on', indicator.id, observed.id]);
});

test('one bundle for many: nothing stands twice in it', () => {
  const bundle = stixBundle([listed(), listed()], NOW) as { type: string; id: string; objects: { id: string }[] };
  assert.equal(new Set(bundle.objects.map(({ id }) => id)).size, bundle.objects.length);
  assert.match(bundle.id, /^bundle--/);
});

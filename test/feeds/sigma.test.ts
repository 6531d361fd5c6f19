import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import type { SigmaRule } from '../../src/feeds/sigma/rule.ts';
import { sigmaFeed } from '../../src/feeds/sigma/sigma.ts';
import { parseFeed, upstreamOf } from './parse-feed.ts';
import { ruleFile } from './sigma-fixture.ts';
import { zipOf } from './zip-of.ts';
import { cpuMs } from '../support/cpu-time.ts';

const NOTHING_KNOWN = { asOf: null, files: new Set<string>() };

async function read(...contents: (string | Uint8Array)[]) {
  const parts = contents.map((content, index) => ({ name: `rules/a/${index + 1}.yml`, content }));
  const { entries, told } = await parseFeed(sigmaFeed, zipOf(parts));
  return { entries, told, rules: entries.map(({ body }) => body as SigmaRule) };
}

async function readOne(fields: Record<string, string | null> = {}): Promise<SigmaRule> {
  const { rules, told } = await read(ruleFile(fields));
  assert.deepEqual(told.skipped, []);
  return rules[0]!;
}

describe('where the zip is', () => {
  const ADDRESS = 'https://github.com/SigmaHQ/sigma/releases/download/r2026-07-01/sigma_all_rules.zip';
  const release = (assets: unknown) => ({
    'releases/latest': { body: { tag_name: 'r2026-07-01', assets }, next: null },
  });
  const asset = { name: 'sigma_all_rules.zip', browser_download_url: ADDRESS };
  const core = { name: 'sigma_core.zip', browser_download_url: 'https://example.org/core.zip' };

  test('upstream: the asset of the latest release, told apart by its tag', async () => {
    const files = await sigmaFeed.files(upstreamOf('origin', { answers: release([core, asset]) }), NOTHING_KNOWN);
    const [file] = files;
    assert.equal(files.length, 1);
    assert.equal(file?.path, ADDRESS);
    assert.equal(file?.fingerprint, 'r2026-07-01');
    assert.equal(file?.extent, 'whole');
  });

  test('a copy: by its name', async () => {
    const upstream = upstreamOf('mirror', {});
    const [file] = await sigmaFeed.files(upstream, NOTHING_KNOWN);
    assert.equal(file?.path, 'sigma_all_rules.zip');
    assert.equal(file?.fingerprint, null);
    assert.deepEqual(upstream.asked, []);
  });

  for (const [what, answers] of Object.entries({
    'no release': {},
    'a release without the zip': release([core]),
    'an answer of another kind': { 'releases/latest': { body: { message: 'rate limit' }, next: null } },
  })) {
    test(`${what} is refused`, async () => {
      await assert.rejects(
        async () => sigmaFeed.files(upstreamOf('origin', { answers }), NOTHING_KNOWN),
        FeedFormatError,
      );
    });
  }
});

test('a rule, field by field', async () => {
  const content = `title: Access To A Secret
id: ABCDEF00-1111-4222-8333-444444444444
related:
    - id: 00000000-1111-4222-8333-444444444444
      type: similar
status: stable
description: |
    Detects CVE-2021-3156 and what follows.
    In two lines.
references:
    - https://example.org/a
    - Internal research
author: Ann, Bob
date: 2023/4/5
modified: 2024-12-31
tags:
    - attack.credential-access
    - attack.t1003.001
    - attack.t1003
    - attack.g0016
    - cve.2020.0601
    - cve.2021-3156
logsource:
    product: linux
    service: auditd
    definition: 'Requirements: auditd'
detection:
    selection:
        type: PATH
        nametype: 2
    condition: selection
falsepositives:
    - Backups
level: low
`;
  const { entries, told } = await parseFeed(sigmaFeed, zipOf([{ name: 'rules/linux/a b#c.yml', content }]));
  assert.deepEqual(told.skipped, []);
  const [entry] = entries;
  const expected: SigmaRule = {
    rule_id: 'abcdef00-1111-4222-8333-444444444444',
    title: 'Access To A Secret',
    status: 'stable',
    level: 'low',
    description: 'Detects CVE-2021-3156 and what follows.\nIn two lines.',
    author: 'Ann, Bob',
    date: '2023-04-05',
    modified: '2024-12-31',
    tags: [
      'attack.credential-access',
      'attack.t1003.001',
      'attack.t1003',
      'attack.g0016',
      'cve.2020.0601',
      'cve.2021-3156',
    ],
    logsource: { product: 'linux', category: null, service: 'auditd', definition: 'Requirements: auditd' },
    detection: { selections: { selection: { type: 'PATH', nametype: 2 } }, condition: 'selection', timeframe: null },
    detection_summary: 'Matches events where type is "PATH" and nametype is 2.',
    references: ['https://example.org/a', 'Internal research'],
    falsepositives: ['Backups'],
    license: 'DRL-1.1',
    source_url: 'https://github.com/SigmaHQ/sigma/blob/master/rules/linux/a%20b%23c.yml',
    attack_techniques: ['T1003.001', 'T1003'],
    cve_ids: ['CVE-2020-0601', 'CVE-2021-3156'],
  };
  assert.deepEqual(entry?.body, expected);
  assert.equal(entry?.id, expected.rule_id);
  assert.equal(entry?.collection, 'sigma_rule');
  assert.equal(entry?.title, expected.title);
});

test('what is not there is null or an empty list', async () => {
  const rule = await readOne({
    status: null,
    level: null,
    description: null,
    author: null,
    date: null,
    logsource: null,
  });
  for (const field of ['status', 'level', 'description', 'author', 'date', 'modified'] as const)
    assert.equal(rule[field], null);
  for (const field of ['tags', 'references', 'falsepositives', 'attack_techniques', 'cve_ids'] as const)
    assert.deepEqual(rule[field], []);
  assert.deepEqual(rule.logsource, { product: null, category: null, service: null, definition: null });
});

test('a day that does not exist is no date', async () => {
  for (const date of ['2023-02-30', '2023-13-01', 'yesterday', '20240101', '2024-01-31T10:00:00Z']) {
    assert.equal((await readOne({ date })).date, null, date);
  }
});

test('a rule of a sub-technique is found by the technique, each technique once', async () => {
  const { entries } = await read(
    ruleFile({ tags: '\n    - attack.t1059.001\n    - attack.t1059.003\n    - attack.t1190' }),
  );
  const techniques = entries[0]?.links.filter(({ kind }) => kind === 'technique').map(({ value }) => value);
  assert.deepEqual(techniques?.sort(), ['T1059', 'T1059.001', 'T1059.003', 'T1190']);
});

test('a CVE that stands in a reference alone is not what the rule is about', async () => {
  assert.deepEqual(
    (await readOne({ references: '\n    - https://nvd.nist.gov/vuln/detail/CVE-2021-1675' })).cve_ids,
    [],
  );
  assert.deepEqual((await readOne({ title: 'Exploitation of cve-2021-1675 (PrintNightmare)' })).cve_ids, [
    'CVE-2021-1675',
  ]);
});

test('a licence of its own goes before that of the repository', async () => {
  assert.equal((await readOne({ license: 'MIT' })).license, 'MIT');
});

describe('values stay what they are', () => {
  const valueOf = async (yaml: string): Promise<unknown> => {
    const { selections } = (await readOne({ detection: `\n    a:\n        F: ${yaml}\n    condition: a` })).detection;
    return (selections['a'] as Record<string, unknown>)['F'];
  };
  for (const [yaml, value] of [
    ['4624', 4624],
    ['-1', -1],
    ['0.5', 0.5],
    ["'4624'", '4624'],
    ['00000429', '00000429'],
    ['0x1F', '0x1F'],
    ['0o17', '0o17'],
    ['1.10', '1.10'],
    ['1e3', '1e3'],
    ['12345678901234567890', '12345678901234567890'],
    ['2024-01-31', '2024-01-31'],
    ['12:30:00', '12:30:00'],
    ['yes', 'yes'],
    ['true', true],
    ['null', null],
    ['', null],
    ["''", ''],
    ['"\\u202e"', '{U+202E}'],
    ['"a\\r\\nb"', 'a{U+000D}\nb'],
    ['"\\u263a\\ufe0f"', '☺{U+FE0F}'],
  ] as const) {
    test(`${JSON.stringify(yaml)} is ${JSON.stringify(value)}`, async () => assert.equal(await valueOf(yaml), value));
  }
});

test('several conditions are alternatives', async () => {
  const detection = '\n    a: [x]\n    b: [y]\n    condition:\n        - a and not b\n        - b';
  assert.equal((await readOne({ detection })).detection.condition, '(a and not b) or (b)');
});

test('text for people carries nothing unseen', async () => {
  const rule = await readOne({
    title: '"A\\u202eB\\u0007"',
    description: '"one\\u200b two"',
    tags: '\n    - "attack.t1059\\u200d"',
  });
  assert.equal(rule.title, 'AB');
  assert.equal(rule.description, 'one two');
  assert.deepEqual(rule.attack_techniques, ['T1059']);
});

describe('what is no rule is counted with its reason, and the others are read', () => {
  for (const [what, content, why] of [
    ['broken YAML', 'title: [unclosed\nid: x', /^broken YAML/],
    ['an unknown YAML tag', ruleFile({ author: '!!binary aGVsbG8=' }), /^broken YAML/],
    ['an empty file', '', /empty/],
    ['a comment alone', '# nothing\n', /empty/],
    ['a list', '- a\n- b\n', /not a mapping/],
    ['no id', ruleFile({ id: null }), /no id/],
    ['an id that is none', ruleFile({ id: '4711' }), /no UUID/],
    ['no title', ruleFile({ title: null }), /no title/],
    ['an empty title', ruleFile({ title: "'  '" }), /no title/],
    ['no detection', ruleFile({ detection: null }), /no detection/],
    ['a detection that is a text', ruleFile({ detection: 'selection' }), /no detection/],
    ['no condition', ruleFile({ detection: '\n    a: [x]' }), /no condition/],
    ['nothing but a condition', ruleFile({ detection: '\n    condition: a' }), /no selection/],
    ['a correlation', ruleFile({ detection: null, correlation: '\n    type: event_count' }), /correlation/],
    ['a key that stands twice', `${ruleFile()}title: Another\n`, /^broken YAML/],
    ['a file of 3 MB', `${ruleFile()}# ${'x'.repeat(3 * 1024 * 1024)}\n`, /larger than/],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x01, 0x02]), /./],
  ] as const) {
    test(what, async () => {
      const { rules, told } = await read(content, ruleFile({ id: 'aaaaaaaa-1111-4222-8333-444444444444' }));
      assert.deepEqual(
        rules.map(({ rule_id }) => rule_id),
        ['aaaaaaaa-1111-4222-8333-444444444444'],
      );
      assert.deepEqual(
        told.skipped.map(({ what: name }) => name),
        ['rules/a/1.yml'],
      );
      assert.match(told.skipped[0]!.why, why);
    });
  }

  test('of two rules with one id the first stands', async () => {
    const { rules, told } = await read(
      ruleFile(),
      ruleFile({ title: 'Second', id: '11111111-2222-4333-8444-555555555555'.toUpperCase() }),
    );
    assert.deepEqual(
      rules.map(({ title }) => title),
      ['Whoami By A Web Server'],
    );
    assert.equal(told.skipped.length, 1);
    assert.match(told.skipped[0]!.why, /id 11111111/);
  });

  test('every document of a file is a rule of its own', async () => {
    const second = ruleFile({ id: 'aaaaaaaa-1111-4222-8333-444444444444' });
    const { rules, told } = await read(`${ruleFile()}---\n${second}---\ntitle: third\n`);
    assert.equal(rules.length, 2);
    assert.deepEqual(
      told.skipped.map(({ what: name }) => name),
      ['rules/a/1.yml, document 3'],
    );
  });

  test('no document of a rule collection is taken for a rule, as each is only a part of one', async () => {
    const { rules, told } = await read(`action: global\n${ruleFile()}---\ndetection:\n    b: [x]\n---\n${ruleFile()}`);
    assert.deepEqual(rules, []);
    assert.deepEqual(
      told.skipped.map(({ why }) => /action/.test(why)),
      [true, true, true],
    );
  });
});

describe('a hostile rule costs little', () => {
  test('aliases that blow up', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, n) => `    l${n + 1}: &l${n + 1} [${`*l${n}, `.repeat(9).slice(0, -2)}]`,
    );
    const detection = `\n    l0: &l0 [x, x, x, x, x, x, x, x, x]\n${levels.join('\n')}\n    condition: l9`;
    const started = cpuMs();
    const { rules, told } = await read(ruleFile({ detection }));
    assert.deepEqual(rules, []);
    assert.match(told.skipped[0]!.why, /more than 1048576 characters/);
    assert.ok(cpuMs() - started < 10_000);
  });

  test('a list that holds itself', async () => {
    const { told } = await read(ruleFile({ detection: '\n    a: &a [*a]\n    condition: a' }));
    assert.equal(told.skipped.length, 1);
  });

  test('brackets nested a thousand deep', async () => {
    const detection = `\n    a: ${'['.repeat(1000)}${']'.repeat(1000)}\n    condition: a`;
    const { told } = await read(ruleFile({ detection }));
    assert.match(told.skipped[0]!.why, /broken YAML/);
  });

  test('a condition that means all selections over and over', async () => {
    const selections = Array.from({ length: 2000 }, (_, n) => `    s${n}: [x]`).join('\n');
    const detection = `\n${selections}\n    condition: ${Array.from({ length: 500 }, () => '1 of s*').join(' or ')}`;
    const started = cpuMs();
    assert.match((await readOne({ detection })).detection_summary, /^2000 selections test the whole event/);
    assert.ok(cpuMs() - started < 10_000);
  });

  test('a selection named __proto__ is data', async () => {
    const { detection } = await readOne({ detection: '\n    __proto__: {polluted: yes}\n    condition: 1 of them' });
    assert.deepEqual(Object.keys(detection.selections), ['__proto__']);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  test('texts of any length are cut, and say so', async () => {
    const rule = await readOne({ title: 'x'.repeat(5000), description: 'y'.repeat(50_000), author: 'z'.repeat(9000) });
    assert.equal(rule.title.length, 300);
    assert.ok(rule.title.endsWith('...'));
    assert.equal(rule.description?.length, 8000);
    assert.equal(rule.author?.length, 500);
  });
});

test('a file with Windows line ends and a byte order mark', async () => {
  const { rules } = await read(`\uFEFF${ruleFile().replaceAll('\n', '\r\n')}`);
  assert.equal(rules[0]?.title, 'Whoami By A Web Server');
});

test('version.txt tells release and day', async () => {
  const version = 'Release Date: 2026-08-05\nLabel: r2026-07-01-18-g8eaafff1f\nCommit-Hash: 8eaafff1f\n';
  const { told } = await parseFeed(
    sigmaFeed,
    zipOf([
      { name: 'version.txt', content: version },
      { name: 'a.yml', content: ruleFile() },
    ]),
  );
  assert.equal(told.asOf, '2026-08-05');
  assert.deepEqual(told.notes, { version: 'r2026-07-01-18-g8eaafff1f' });
});

test('a zip without rules, a page and an empty file are refused as a whole', async () => {
  for (const content of [
    zipOf([{ name: 'README.md', content: 'hi' }]),
    Buffer.from('<html>Sign in</html>'),
    Buffer.alloc(0),
  ]) {
    await assert.rejects(parseFeed(sigmaFeed, content), FeedFormatError);
  }
});

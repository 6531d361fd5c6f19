import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sextant, temporaryFolder } from './command-line.ts';

const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data') };
const ask = (...words: string[]) => sextant(words, settings);

describe('a question on the command line', { concurrency: 2 }, () => {
  it('is answered from the starter catalog, without a network or a server', async () => {
    const { status, stdout, stderr } = await ask('lookup', 'CVE-2021-44228');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^CVE-2021-44228: .*\nCRITICAL 10\.0 · KNOWN EXPLOITED since 2021-12-10/);
    assert.match(stdout, /starter/);
    assert.equal(stderr, '');
  });

  it('is answered by one JSON document where that is asked for, before or after the command', async () => {
    for (const words of [
      ['cve-lookup', 'cve-2014-0160', '--json'],
      ['--json', 'lookup', ' CVE-2014-0160 '],
    ]) {
      const { status, stdout, stderr } = await ask(...words);
      assert.equal(status, 0, stderr);
      const answer = JSON.parse(stdout);
      assert.equal(answer.cve_id, 'CVE-2014-0160');
      assert.equal(answer.cvss_v3, 7.5);
      assert.deepEqual(answer.sources, ['starter'], 'no feed was synced: none of them is named as a source');
      assert.deepEqual(answer.verdict.sources_queried, ['starter']);
    }
  });

  it('takes flags, numbers and lists', async () => {
    const [flagged, paged, bulk] = await Promise.all([
      ask('cve-lookup', 'CVE-2021-44228', '--include-severity-breakdown', '--json'),
      ask('cve-search', '--product', 'log4j', '--limit', '2', '--cvss-min', '8.5', '--json'),
      ask('bulk-cve-lookup', 'CVE-2021-44228,CVE-2014-0160', 'nonsense', '--json'),
    ]);
    assert.ok(JSON.parse(flagged.stdout).severity_sources.length > 0);
    const page = JSON.parse(paged.stdout);
    assert.equal(page.query_echo.limit, 2);
    assert.equal(page.query_echo.cvss_min, 8.5);
    assert.deepEqual(
      JSON.parse(bulk.stdout).results.map(({ status }: { status: string }) => status),
      ['ok', 'ok', 'invalid_format'],
    );
  });

  it('has a help of its own, with examples', async () => {
    const { status, stdout } = await ask('cve-search', '--help');
    assert.equal(status, 0);
    assert.match(stdout, /--sort <epss_desc\|cvss_desc\|published_desc\|relevance>/);
    assert.match(stdout, /sextant cve-search --product log4j --vendor apache/);
  });

  it('writes no colours and no escapes where nobody sees them', async () => {
    const { stdout } = await ask('cwe-lookup', '79');
    assert.match(stdout, /CWE-79/);
    assert.ok(!stdout.includes('\u001b'));
  });
});

describe('words, packages', { concurrency: 2 }, () => {
  it('are arguments of the commands that search for them', async () => {
    const [found, checked] = await Promise.all([
      ask('cve-search', 'heartbleed', 'openssl', '--json'),
      ask('check-dependencies', 'pkg:npm/lodash@4.17.20', 'jinja2@2.4.1', '--json'),
    ]);
    assert.equal(JSON.parse(found.stdout).query_echo.q, 'heartbleed openssl');
    assert.equal(JSON.parse(checked.stdout).packages_given, 2);
  });

  it('all fields are shown where that is asked for, the main ones otherwise', async () => {
    const [main, all] = await Promise.all([ask('cwe-lookup', '79'), ask('cwe-lookup', '79', '--all')]);
    assert.match(main.stdout, /Every field: --all/);
    assert.doesNotMatch(main.stdout, /^ *abstraction/m);
    assert.match(all.stdout, /^abstraction +Base/m);
  });
});

describe('the exit status says', { concurrency: 2 }, () => {
  const cases: [string, string[], number, RegExp][] = [
    ['2: no such command', ['frobnicate'], 2, /unknown command[^]*sextant lookup frobnicate[^]*sextant --help/],
    ['2: no such command, with a way on', ['CVE-2021-44228'], 2, /a CVE id: sextant lookup CVE-2021-44228/],
    ['2: no such command, but a package', ['lodash@4.17.20'], 2, /a package: sextant lookup/],
    ['2: a command that is nearly written', ['cve-serach'], 2, /Did you mean cve-search/],
    ['2: a part of the names of commands', ['cve'], 2, /commands with that word: cve-lookup, .*cve-search/],
    [
      '2: a part of a name, and no other word that is only similar',
      ['kev'],
      2,
      /command 'kev'\n.*kev-detail, cves-kev/,
    ],
    ['2: an argument too many', ['affected-check', 'log4j'], 2, /sextant affected-check --help/],
    ['2: an option without its dashes', ['version'], 2, /sextant --version/],
    ['2: an unknown feed, like none', ['sync', 'foo'], 2, /foo(?![\s\S]*did you mean)/i],
    ['2: an unknown feed, with the one meant', ['sync', 'epps'], 2, /epss/],
    ['2: an unknown option, with the one meant', ['cve-search', '--prodct', 'x'], 2, /--product/],
    ['2: an argument is missing', ['cve-lookup'], 2, /cve-id/],
    [
      '2: an identifier of another kind',
      ['cve-lookup', 'example.com'],
      2,
      /looks like a domain name. sextant domain-report takes that/,
    ],
    ['2: a value out of range, by its option', ['cve-search', '--limit', '900'], 2, /--limit: .*200/],
    ['2: nearly an identifier', ['lookup', 'CVE-2021-442'], 2, /looks like a CVE id: .*CVE-2021-44228/],
    ['2: two forms of output', ['lookup', 'CWE-79', '--jsonl', '--json'], 2, /choose one/],
    ['3: words that nothing here has', ['lookup', 'qwertyzxcvb'], 3, /No CVE has the word "qwertyzxcvb"/],
    ['3: well-formed, but unknown', ['lookup', 'CVE-2099-99999'], 3, /CVE-2099-99999/],
    ['3: not known to the starter catalog', ['lookup', 'GHSA-jfh8-c2jp-5v3q'], 3, /ghsa has not been synced yet/],
  ];
  for (const [name, words, expected, message] of cases) {
    it(name, async () => {
      const { status, stdout, stderr } = await ask(...words);
      assert.equal(status, expected, stderr);
      assert.match(stderr, message);
      assert.ok(stderr.trim().split('\n').length <= 3 && !stderr.includes('    at '), stderr);
      if (!words.includes('--json')) assert.equal(stdout, '');
    });
  }

  it('the same to machines, in one document', async () => {
    const { status, stdout } = await ask('lookup', 'CVE-2099-99999', '--json');
    assert.equal(status, 3);
    assert.equal(JSON.parse(stdout).error.code, 'not_found');
  });

  it('what every status means, in the help', async () => {
    const { status, stdout } = await ask('--help');
    assert.equal(status, 0);
    for (const code of [0, 1, 2, 3, 4, 5]) assert.match(stdout, new RegExp(`^ +${code} +\\w`, 'm'));
    for (const command of ['serve', 'sync', 'catalog', 'lookup', 'config', 'doctor', 'cve-lookup', 'status']) {
      assert.match(stdout, new RegExp(`^ +${command}\\b`, 'm'));
    }
  });
});

describe('sextant config', { concurrency: 2 }, () => {
  it('shows settings, secrets masked', async () => {
    const { status, stdout } = await sextant(['config', '--json'], {
      ...settings,
      SEXTANT_GITHUB_TOKEN: 'ghp_verysecret',
    });
    const rows: { variable: string; value: string }[] = JSON.parse(stdout).settings;
    assert.equal(status, 0);
    assert.equal(rows.find(({ variable }) => variable === 'SEXTANT_DATA_DIR')?.value, settings.SEXTANT_DATA_DIR);
    assert.doesNotMatch(stdout, /verysecret/);
  });

  it('names every wrong setting', async () => {
    const { status, stderr } = await sextant(['config'], { SEXTANT_PORT: '99999', SEXTANT_COLOUR: 'blue' });
    assert.equal(status, 2);
    assert.match(stderr, /SEXTANT_PORT: .*65535/);
    assert.match(stderr, /SEXTANT_COLOUR: no such setting/);
  });
});

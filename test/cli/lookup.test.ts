import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, test } from 'node:test';
import { MAX_LINE_CHARACTERS, MAX_THINGS, readThings } from '../../src/cli/lookup/read-things.ts';
import { countOutcomes, listExitStatus, type Outcome } from '../../src/cli/lookup/look-up-many.ts';
import { joinVerdicts } from '../../src/cli/lookup/outcomes-view.ts';
import { vectorAnswer } from '../../src/cli/lookup/vector-answer.ts';
import { recognizeText } from '../../src/analysis/recognize-text.ts';
import { questionOfText, questionOfWords } from '../../src/operations/question-of-text.ts';
import { ended, sextant, start, temporaryFolder } from './command-line.ts';

const settings = { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data') };

function stdinOf(text: string, isTTY = false): NodeJS.ReadStream {
  return Object.assign(Readable.from([Buffer.from(text)]), { isTTY }) as unknown as NodeJS.ReadStream;
}

const valuesOf = async (words: string[], text = ''): Promise<string[]> =>
  (await readThings(words, stdinOf(text))).things.map(({ value }) => value);

describe('what is looked up', () => {
  it('is each argument, and words that name nothing known are one thing together', async () => {
    assert.deepEqual(await valuesOf(['CVE-2021-44228', 'CWE-79']), ['CVE-2021-44228', 'CWE-79']);
    assert.deepEqual(await valuesOf(['apache', 'log4j', '2.14.1']), ['apache log4j 2.14.1']);
    assert.equal((await readThings(['apache', 'log4j'], stdinOf(''))).isList, false);
    assert.equal((await readThings(['CWE-79'], stdinOf(''))).isList, false);
    assert.equal((await readThings(['CWE-79', 'CWE-89'], stdinOf(''))).isList, true);
  });

  it('is each line of standard input, without blank lines, comments and repetitions', async () => {
    const text = '# ours\r\nCVE-2021-44228\n\n  cve-2021-44228\nevil[.]example # seen\nhxxp://evil[.]example/a\n';
    assert.deepEqual(await valuesOf(['-'], text), ['CVE-2021-44228', 'evil[.]example # seen', 'http://evil.example/a']);
    const { things, isList } = await readThings([], stdinOf('8.8.8[.]8\n'));
    assert.deepEqual(things, [{ kind: 'ip', value: '8.8.8.8', isDefanged: true, given: '8.8.8[.]8' }]);
    assert.equal(isList, true, 'a file with one line is still a list');
    assert.deepEqual(await valuesOf(['CWE-79', '-'], 'CWE-89\n'), ['CWE-79', 'CWE-89']);
  });

  it('has limits, and is something', async () => {
    const many = Array.from({ length: MAX_THINGS + 1 }, (_, index) => `CWE-${index + 1}`).join('\n');
    await assert.rejects(readThings(['-'], stdinOf(many)), /1,001 things: at most 1,000/);
    await assert.rejects(readThings(['-'], stdinOf('x'.repeat(MAX_LINE_CHARACTERS + 1))), /at most 2,048/);
    await assert.rejects(readThings(['-'], stdinOf('x\n'.repeat(2_000_000))), /bytes on standard input/);
    await assert.rejects(readThings(['-'], stdinOf('\n# nothing\n')), /nothing to look up/);
    await assert.rejects(readThings([], stdinOf('', true)), /give it as an argument/);
  });
});

describe('the question that a text asks', () => {
  const questionOf = (text: string) => {
    const question = questionOfText(recognizeText(text));
    return question === null ? null : { [question.operation.id]: question.input };
  };

  for (const [text, expected] of [
    ['GHSA-jfh8-c2jp-5v3q', { advisory_lookup: { ghsa_id: 'GHSA-jfh8-c2jp-5v3q' } }],
    ['lodash@4.17.20', { check_dependencies: { packages: ['lodash@4.17.20'] } }],
    ['pkg:npm/%40babel/core@7.0.0', { check_dependencies: { packages: ['pkg:npm/%40babel/core@7.0.0'] } }],
    ['pkg:npm/%40babel/core', { affected_check: { purl: 'pkg:npm/%40babel/core' } }],
    ['pkg:npm/@babel/core', { affected_check: { purl: 'pkg:npm/@babel/core' } }],
    ['cpe:/a:apache:log4j:2.14.1', { affected_check: { cpe: 'cpe:/a:apache:log4j:2.14.1' } }],
    ['+44 20 7946 0958', { phone_lookup: { number: '+44 20 7946 0958' } }],
    ['T1059.001', { attack_technique_lookup: { technique_id: 'T1059.001' } }],
    ['example.com', { domain_report: { domain: 'example.com' } }],
    ['https://example.com/', { domain_report: { domain: 'example.com' } }],
    ['https://example.com/login', { ioc_lookup: { indicator: 'https://example.com/login' } }],
    // What was written to be no link is not visited.
    ['example[.]com', { ioc_lookup: { indicator: 'example.com' } }],
    ['hxxps://example[.]com/', { ioc_lookup: { indicator: 'https://example.com/' } }],
    ['8.8.8[.]8', { threat_report: { ip: '8.8.8.8' } }],
    ['apache log4j', null],
  ] as const) {
    test(text, () => assert.deepEqual(questionOf(text), expected));
  }

  test('words are a version of a product that is known, else a search', async () => {
    const asked: string[] = [];
    const known = async ({ id }: { id: string }) => {
      asked.push(id);
      const log4j = { vendor: 'apache', product: 'log4j', ecosystem: null, cves: 11, known_exploited: 2 };
      return { answer: { candidates: [log4j], meant: log4j } as never };
    };
    const { operation, input } = await questionOfWords('log4j 2.14.1', known);
    assert.equal(operation.id, 'affected_check');
    assert.deepEqual(input, { vendor: 'apache', product: 'log4j', version: '2.14.1' });
    assert.deepEqual(asked, ['product_lookup']);
    const several = async () => {
      const [one, other] = ['a', 'b'].map((vendor) => ({
        vendor,
        product: 'x',
        ecosystem: null,
        cves: 1,
        known_exploited: 0,
      }));
      return { answer: { candidates: [one, other], meant: null } as never };
    };
    assert.deepEqual((await questionOfWords('xyz 1.0', several)).input, { product: 'xyz', version: '1.0' });
    const unknown = async () => ({ answer: null });
    assert.deepEqual((await questionOfWords('some product 1.0', unknown)).input, { q: 'some product 1.0', limit: 20 });
    assert.equal((await questionOfWords('WordPress', unknown)).operation.id, 'cve_search');
  });
});

test('CVSS vectors of versions 2 and 4 are scored as FIRST says', () => {
  // CVE-2002-0392 in the CVSS v2 guide, section 3.3.1; and a base score of the v4.0 examples.
  assert.equal(vectorAnswer('AV:N/AC:L/Au:N/C:N/I:N/A:C')?.base_score, 7.8);
  const v4 = vectorAnswer('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N');
  assert.deepEqual([v4?.version, v4?.base_score, v4?.base_severity], ['4.0', 9.3, 'CRITICAL']);
  assert.equal(vectorAnswer('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'), null);
  assert.throws(() => vectorAnswer('CVSS:4.0/AV:N'), { exit: 'usage' });
});

describe('a list', () => {
  const outcome = (status: Outcome['status'], verdict: object | null = null): Outcome => ({
    given: 'x',
    kind: 'cve',
    value: 'x',
    status,
    operation: null,
    input: null,
    answer: verdict === null ? null : { verdict },
    error: null,
  });

  it('ends as its worst outcome', () => {
    const statusOf = (...statuses: Outcome['status'][]): number =>
      listExitStatus(countOutcomes(statuses.map((status) => outcome(status))));
    assert.equal(statusOf('ok', 'ok'), 0);
    assert.equal(statusOf('ok', 'not_found'), 3);
    assert.equal(statusOf('not_found', 'not_recognised'), 2);
    assert.equal(statusOf('not_recognised', 'failed', 'ok'), 1);
  });

  it('is as complete as its least complete answer, and names all that is missing once', () => {
    const verdict = { deterministic: true, falsifiable_fields: [], sources_unavailable: [] };
    const joined = joinVerdicts([
      outcome('ok', { ...verdict, data_age_seconds: 5, sources_queried: ['nvd'], completeness: 'complete', gaps: [] }),
      outcome('ok', {
        ...verdict,
        data_age_seconds: 9,
        sources_queried: ['kev'],
        completeness: 'partial',
        gaps: ['a'],
      }),
      outcome('ok', {
        ...verdict,
        data_age_seconds: null,
        sources_queried: ['nvd'],
        completeness: 'partial',
        gaps: ['a'],
      }),
      outcome('failed'),
    ]);
    assert.deepEqual(
      [joined?.completeness, joined?.data_age_seconds, joined?.sources_queried, joined?.gaps],
      ['partial', 9, ['kev', 'nvd'], ['a']],
    );
    assert.equal(joinVerdicts([outcome('failed')]), null);
  });

  it('has a line for each thing in the order given, then what has no answer', async () => {
    const { status, stdout, stderr } = await sextant(
      ['lookup', 'CVE-2014-0160', 'CVE-2021-442', 'AV:N/AC:L/Au:N/C:N/I:N/A:C', 'CVE-2021-44228', 'CVE-2099-99999'],
      settings,
    );
    assert.equal(status, 2, stderr);
    assert.match(stdout, /^3 of 5 things answered; 1 not known here, 1 not recognised\./);
    assert.match(
      stdout,
      /\nCVE-2014-0160 +a CVE id +HIGH 7\.5 · KNOWN EXPLOITED[^\n]*\nAV:N\S+ +a CVSS vector +HIGH 7\.8[^\n]*\nCVE-2021-44228 +a CVE id +CRITICAL 10\.0/,
    );
    assert.match(stdout, /without an answer\n[^]*CVE-2021-442 +.*looks like a CVE id[^]*CVE-2099-99999/);
  });

  it('is one document for programs, or one a line', async () => {
    const ask = async (option: string): Promise<string> => {
      const pipe = ['sh', '-c', String.raw`printf 'CVE-2014-0160\nCVE-2099-99999\n' | "$@"`, 'sh'];
      const child = start(['lookup', '-', option], settings, false, pipe);
      const { status, stdout } = await ended(child);
      assert.equal(status, 3);
      return stdout;
    };
    const [document, lines] = await Promise.all([ask('--json'), ask('--jsonl')]);
    const { results, ...counts } = JSON.parse(document);
    assert.deepEqual(counts, { total: 2, answered: 1, not_found: 1, not_recognised: 0, failed: 0 });
    assert.deepEqual(
      [results[0].operation, results[0].input.cve_id, results[0].answer.cvss_v3, results[1].error.code],
      ['cve_lookup', 'CVE-2014-0160', 7.5, 'not_found'],
    );
    assert.deepEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).status),
      ['ok', 'not_found'],
    );
  });
});

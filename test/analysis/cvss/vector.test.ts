import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CvssVectorError, parseCvssVector } from '../../../src/analysis/cvss/parse-vector.ts';

const V2 = 'AV:N/AC:L/Au:N/C:P/I:P/A:P';
const V31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const V40 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

describe('parseVector', () => {
  it('tells the version by the prefix', () => {
    assert.equal(parseCvssVector(V2).version, '2.0');
    assert.equal(parseCvssVector(V31.replace('3.1', '3.0')).version, '3.0');
    assert.equal(parseCvssVector(V31).version, '3.1');
    assert.equal(parseCvssVector(V40).version, '4.0');
  });

  it('reads every metric', () => {
    assert.deepEqual(
      [...parseCvssVector(V2).metrics],
      [
        ['AV', 'N'],
        ['AC', 'L'],
        ['Au', 'N'],
        ['C', 'P'],
        ['I', 'P'],
        ['A', 'P'],
      ],
    );
  });

  it('reads 2.0 vectors as other tools write them, and gives them in the plain form', () => {
    for (const text of [`(${V2})`, `CVSS2#${V2}`, `(CVSS2#${V2})`, `  ${V2}\n`]) {
      assert.equal(parseCvssVector(text).vector, V2);
    }
  });

  it('keeps explicit X and ND', () => {
    assert.equal(parseCvssVector(`${V31}/E:X/MAV:X`).vector, `${V31}/E:X/MAV:X`);
    assert.equal(parseCvssVector(`${V2}/E:ND`).metrics.get('E'), 'ND');
  });

  it('puts metrics into the order of the specification', () => {
    const { vector, metrics } = parseCvssVector('CVSS:3.1/RL:O/AC:L/AV:N/A:H/C:H/I:H/PR:N/S:U/E:P/UI:N');
    assert.equal(vector, `${V31}/E:P/RL:O`);
    assert.deepEqual([...metrics.keys()], ['AV', 'AC', 'PR', 'UI', 'S', 'C', 'I', 'A', 'E', 'RL']);
    // As GitHub published it for GHSA-28g4-38q8-3cwc.
    const shuffled = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/SC:N/VI:H/SI:N/VA:H/SA:N';
    assert.equal(parseCvssVector(shuffled).vector, V40);
  });

  const refused: [why: string, text: string, message: RegExp][] = [
    ['an empty text', '', /is empty/],
    ['blanks alone', ' \n', /is empty/],
    ['a text over 500 characters', `${V31}${'/E:X'.repeat(200)}`, /at most 500 characters/],
    ['an unknown version', V31.replace('3.1', '3.2'), /known version: CVSS:3\.1\/, CVSS:3\.0\/, CVSS:4\.0\//],
    ['a prefix in lower case', V31.toLowerCase(), /upper case/],
    ['a prefix alone', 'CVSS:3.1/', /Empty metric/],
    ['a prefix without its slash', 'CVSS:3.1', /known version/],
    ['a 3.x vector without its prefix', V31.slice(9), /"PR" is not a CVSS 2\.0 metric; .*CVSS:3\.1\//],
    ['an unknown metric', `${V31}/XX:H`, /Unknown metric "XX" .*accepted \(case matters\): AV, AC/],
    ['an unknown value', V31.replace('AV:N', 'AV:Q'), /Unknown value "Q" of AV .*accepted: N, A, L, P\./],
    ['a value in lower case', V31.replace('AV:N', 'AV:n'), /Unknown value "n" of AV/],
    ['a metric in lower case', V31.replace('AV:N', 'av:N'), /Unknown metric "av"/],
    ['a metric of another version', V31.replace('UI:N', 'UI:N/VC:H'), /Unknown metric "VC" in a CVSS 3\.1 vector/],
    ['a value of another version', V40.replace('UI:N', 'UI:R'), /Unknown value "R" of UI .*: N, P, A\./],
    ['Safety where 4.0 has none', `${V40}/MSC:S`, /Unknown value "S" of MSC/],
    ['the same metric twice', `${V31}/AV:N`, /AV is given twice/],
    ['missing base metrics', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H', /missing .*: I, A\./],
    ['an undefined base metric', V31.replace('AV:N', 'AV:X'), /Unknown value "X" of AV/],
    ['a trailing slash', `${V31}/`, /Empty metric/],
    ['a trailing slash in 2.0', `${V2}/`, /Empty metric/],
    ['a leading slash', `/${V2}`, /Empty metric/],
    ['an empty part', V31.replace('/AC', '//AC'), /Empty metric/],
    ['a part without a colon', V31.replace('AV:N', 'AVN'), /"AVN" .* metric:value/],
    ['a metric without a value', V31.replace('AV:N', 'AV:'), /Unknown value "" of AV/],
    ['a blank inside', V31.replace('/AC', '/ AC'), /Unknown metric " AC"/],
    ['one parenthesis', `(${V2}`, /Unknown metric "\(AV"/],
    ['parentheses around 3.x', `(${V31})`, /not of the form|Unknown metric/],
    ['a name of Object', V31.replace('AV:N', '__proto__:N'), /Unknown metric "__proto__"/],
    ['something else', 'CVE-2021-44228', /"CVE-2021-44228" .* metric:value/],
  ];
  for (const [why, text, message] of refused) {
    it(`refuses ${why}`, () => {
      assert.throws(
        () => parseCvssVector(text),
        (error) =>
          error instanceof CvssVectorError && message.test(error.message) && error.message.includes('Example: '),
      );
    });
  }

  it('repeats only a short printable piece of what was sent', () => {
    assert.throws(
      () => parseCvssVector(`CVSS:3.1/\u202e\u0007${'A'.repeat(300)}`),
      (error) => error instanceof CvssVectorError && error.message.length < 200 && /^[\x20-\x7e]+$/.test(error.message),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreVector } from '../../../src/analysis/cvss/score-vector.ts';
import { severityOfScore } from '../../../src/analysis/severity.ts';

const scores = (text: string) => {
  const { base_score, temporal_score, environmental_score } = scoreVector(text);
  return [base_score, temporal_score, environmental_score];
};

describe('scoreVector, CVSS 2.0: the worked examples of the guide, section 3.3', () => {
  it('CVE-2002-0392', () => {
    const vector = 'AV:N/AC:L/Au:N/C:N/I:N/A:C';
    assert.deepEqual(scores(vector), [7.8, null, null]);
    assert.deepEqual(scores(`${vector}/E:F/RL:OF/RC:C`), [7.8, 6.4, null]);
    assert.deepEqual(scores(`${vector}/E:F/RL:OF/RC:C/CDP:N/TD:N/CR:M/IR:M/AR:H`), [7.8, 6.4, 0]);
    assert.deepEqual(scores(`${vector}/E:F/RL:OF/RC:C/CDP:H/TD:H/CR:M/IR:M/AR:H`), [7.8, 6.4, 9.2]);
  });

  it('CVE-2003-0818', () => {
    const vector = 'AV:N/AC:L/Au:N/C:C/I:C/A:C/E:F/RL:OF/RC:C';
    assert.deepEqual(scores(`${vector}/CDP:H/TD:H/CR:M/IR:M/AR:L`), [10, 8.3, 9]);
  });

  it('CVE-2003-0062', () => {
    const vector = 'AV:L/AC:H/Au:N/C:C/I:C/A:C/E:POC/RL:OF/RC:C';
    assert.deepEqual(scores(`${vector}/CDP:H/TD:H/CR:M/IR:M/AR:M`), [6.2, 4.9, 7.5]);
  });
});

describe('scoreVector, CVSS 3.x', () => {
  it("scores FIRST's examples", () => {
    const examples: [cve: string, metrics: string, score: number][] = [
      ['CVE-2013-0375', 'AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
      ['CVE-2014-3566', 'AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
      ['CVE-2012-1516', 'AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9],
      ['CVE-2009-0783', 'AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2],
      ['CVE-2012-0384', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8],
      ['CVE-2014-2019', 'AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6],
      ['CVE-2014-0224', 'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N', 7.4],
      ['CVE-2012-5376', 'AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.6],
    ];
    for (const [cve, metrics, score] of examples) {
      assert.deepEqual(scores(`CVSS:3.0/${metrics}`), [score, null, null], cve);
      assert.deepEqual(scores(`CVSS:3.1/${metrics}`), [score, null, null], cve);
    }
  });

  it('scores vectors without impact as 0.0', () => {
    const { base_score, base_severity } = scoreVector('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:N');
    assert.deepEqual([base_score, base_severity], [0, 'NONE']);
    assert.deepEqual(scores('CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N/E:P'), [0, 0, null]);
  });

  it('gives temporal and environmental scores only where one of their metrics is given', () => {
    const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
    assert.deepEqual(scores(`${vector}/E:X/RL:X/RC:X/CR:X/MAV:X`), [9.8, null, null]);
    // CVE-2022-42475 as Fortinet scored it.
    assert.deepEqual(scores(`${vector}/E:P/RL:U/RC:C`), [9.8, 9.3, null]);
    assert.deepEqual(scores(`${vector}/MC:N/MI:N/MA:N`), [9.8, null, 0]);
  });

  it('is not misled by binary fractions: 2.5 x 0.92 is 2.3, not a little more', () => {
    const metrics = 'AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:N/A:N/RC:U';
    assert.deepEqual(scores(`CVSS:3.0/${metrics}`), [2.5, 2.3, null]);
    assert.deepEqual(scores(`CVSS:3.1/${metrics}`), [2.5, 2.3, null]);
  });

  it('modifies impact by the equation of its own version', () => {
    // What the suite in conformance/cvss expects of the two environmental equations.
    assert.equal(scoreVector('CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H/MAV:N').environmental_score, 10);
    assert.equal(scoreVector('CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H/MAV:N').environmental_score, 9.9);
  });
});

describe('scoreVector, CVSS 4.0', () => {
  const vector = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

  it('gives CVSS-B as the base score, and the others where their metrics are given', () => {
    // GitHub published 8.1 for CVE-2024-48918, which has E:U; vectors of these base metrics alone are published as 9.3.
    assert.deepEqual(scoreVector(`${vector}/E:U`), {
      version: '4.0',
      vector: `${vector}/E:U`,
      base_score: 9.3,
      base_severity: 'CRITICAL',
      temporal_score: null,
      threat_score: 8.1,
      environmental_score: null,
    });
    const { threat_score, environmental_score } = scoreVector(`${vector}/E:X/CR:X/S:P/AU:Y`);
    assert.deepEqual([threat_score, environmental_score], [null, null]);
  });

  it('takes the threat metrics into the environmental score', () => {
    const none = 'MVC:N/MVI:N/MVA:N';
    const { base_score, threat_score, environmental_score } = scoreVector(`${vector}/E:U/${none}`);
    assert.deepEqual([base_score, threat_score, environmental_score], [9.3, 8.1, 0]);
  });
});

describe('severityOfScore', () => {
  it('follows the rating scale of 3.x and 4.0', () => {
    const bands = [0, 0.1, 3.9, 4, 6.9, 7, 8.9, 9, 10].map((score) => severityOfScore('3.1', score));
    assert.equal(bands.join(), 'NONE,LOW,LOW,MEDIUM,MEDIUM,HIGH,HIGH,CRITICAL,CRITICAL');
  });

  it("follows NVD's bands for 2.0", () => {
    const bands = [0, 3.9, 4, 6.9, 7, 10].map((score) => severityOfScore('2.0', score));
    assert.equal(bands.join(), 'LOW,LOW,MEDIUM,MEDIUM,HIGH,HIGH');
  });
});

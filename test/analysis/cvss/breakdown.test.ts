import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeBaseMetrics } from '../../../src/analysis/cvss/describe-base-metrics.ts';
import { CvssVectorError } from '../../../src/analysis/cvss/parse-vector.ts';

describe('breakdown', () => {
  it('puts 3.x base metrics into words', () => {
    assert.deepEqual(describeBaseMetrics('CVSS:3.1/AV:A/AC:H/PR:L/UI:R/S:C/C:H/I:L/A:N/E:P'), {
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

  it('puts 2.0 base metrics into words', () => {
    assert.deepEqual(describeBaseMetrics('(AV:N/AC:M/Au:S/C:N/I:P/A:C)'), {
      access_vector: 'NETWORK',
      access_complexity: 'MEDIUM',
      authentication: 'SINGLE',
      confidentiality_impact: 'NONE',
      integrity_impact: 'PARTIAL',
      availability_impact: 'COMPLETE',
    });
  });

  it('puts 4.0 base metrics into words', () => {
    assert.deepEqual(describeBaseMetrics('CVSS:4.0/AV:P/AC:L/AT:P/PR:H/UI:A/VC:H/VI:L/VA:N/SC:N/SI:L/SA:H'), {
      attack_vector: 'PHYSICAL',
      attack_complexity: 'LOW',
      attack_requirements: 'PRESENT',
      privileges_required: 'HIGH',
      user_interaction: 'ACTIVE',
      vulnerable_system_confidentiality: 'HIGH',
      vulnerable_system_integrity: 'LOW',
      vulnerable_system_availability: 'NONE',
      subsequent_system_confidentiality: 'NONE',
      subsequent_system_integrity: 'LOW',
      subsequent_system_availability: 'HIGH',
    });
  });

  it('refuses what is no vector', () => {
    assert.throws(() => describeBaseMetrics('AV:N'), CvssVectorError);
  });
});

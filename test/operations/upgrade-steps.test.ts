import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Upgrade, versionJump } from '../../src/operations/code/lib/recommend-upgrades.ts';
import { planUpgradeSteps } from '../../src/operations/code/lib/upgrade-steps.ts';
import { describeStep } from '../../src/operations/code/lib/upgrade-texts.ts';

const upgrade = (name: string, version: string, to: string, of: Partial<Upgrade> = {}): Upgrade => ({
  package: name,
  version,
  ecosystem: 'RubyGems',
  to,
  fixes: 2,
  fixes_exploited: 0,
  remaining: 0,
  worst_severity: null,
  max_epss: null,
  jump: versionJump(version, to),
  ...of,
});
const versionOf = (_: string | null, name: string): string | null => (name === 'rails' ? '6.1.4' : null);

describe('what to do about packages that another one brings', () => {
  test('one step for those that are released with it, to the version that has all fixes', () => {
    const [step, ...others] = planUpgradeSteps(
      [
        { upgrade: upgrade('actionpack', '6.1.4', '6.1.7.9'), broughtBy: ['rails'], releasedWith: ['rails'] },
        { upgrade: upgrade('activerecord', '6.1.4', '6.1.7.1'), broughtBy: ['rails'], releasedWith: ['rails'] },
        { upgrade: upgrade('rails', '6.1.4', '6.1.5', { fixes: 1 }), broughtBy: [], releasedWith: [] },
      ],
      versionOf,
    );
    assert.deepEqual(others, []);
    assert.deepEqual(
      [step?.package, step?.version, step?.to, step?.how, step?.fixes, step?.jump],
      ['rails', '6.1.4', '6.1.7.9', 'released_together', 5, null],
    );
    assert.match(
      describeStep(step!),
      /^Upgrade rails 6\.1\.4 to 6\.1\.7\.9 or later: ends 5 known flaws in actionpack/,
    );
  });

  test('of those that it only brings no version of it is claimed', () => {
    const [step] = planUpgradeSteps(
      [
        { upgrade: upgrade('rack', '2.2.3', '2.2.8.1'), broughtBy: ['rails'], releasedWith: [] },
        { upgrade: upgrade('loofah', '0.4.0', '0.5.0'), broughtBy: ['rails'], releasedWith: [] },
      ],
      versionOf,
    );
    assert.deepEqual([step?.package, step?.to, step?.how, step?.packages.length], ['rails', null, 'brings_it', 2]);
    const text = describeStep(step!);
    assert.match(
      text,
      /^Upgrade what rails 6\.1\.4 brings: rack 2\.2\.3 to 2\.2\.8\.1, loofah 0\.4\.0 to 0\.5\.0 \(a new minor version of 0\.x\)/,
    );
  });

  test('Go modules and crates are upgraded by themselves, and so is what a document says nothing of', () => {
    const steps = planUpgradeSteps(
      [
        { upgrade: upgrade('x', '1.0.0', '1.1.0', { ecosystem: 'Go' }), broughtBy: ['y'], releasedWith: [] },
        { upgrade: upgrade('z', '1.0.0', '2.0.0'), broughtBy: null, releasedWith: [] },
      ],
      versionOf,
    );
    assert.deepEqual(
      steps.map(({ package: name, how, jump }) => [name, how, jump]),
      [
        ['x', 'itself', null],
        ['z', 'itself', 'major'],
      ],
    );
  });
});

test('what an upgrade jumps over', () => {
  for (const [from, to, jump] of [
    ['1.2.3', '2.0.0', 'major'],
    ['v1.9.0', 'v1.10.0', null],
    ['0.1.2', '0.1.9', null],
    ['0.1.2', '0.2.0', 'minor_of_zero'],
    ['0.9', '1.0', 'major'],
    ['1!2.0', '1!3.0', 'major'],
    ['5.4.20.Final', '5.6.0.Final', null],
    ['main', '1.0', null],
  ] as const)
    assert.equal(versionJump(from, to), jump, `${from} to ${to}`);
});

describe('which upgrade comes first', () => {
  const step = (name: string, of: Partial<Upgrade>) => ({
    upgrade: upgrade(name, '1.0.0', '1.1.0', of),
    broughtBy: null,
    releasedWith: [],
  });

  test('known exploited, then the worst severity, then what is likely to be exploited, then the number of flaws', () => {
    const steps = planUpgradeSteps(
      [
        step('many-low', { worst_severity: 'LOW', max_epss: 0.5, fixes: 9 }),
        step('two-critical', { worst_severity: 'CRITICAL', max_epss: 0.02, fixes: 2 }),
        step('likely-critical', { worst_severity: 'CRITICAL', max_epss: 0.86, fixes: 1 }),
        step('five-critical', { worst_severity: 'CRITICAL', max_epss: null, fixes: 5 }),
        step('exploited-medium', { worst_severity: 'MEDIUM', max_epss: 0.2, fixes_exploited: 1, fixes: 1 }),
        step('no-severity', { worst_severity: null, max_epss: null, fixes: 9 }),
      ],
      () => null,
    );
    assert.deepEqual(
      steps.map(({ package: name }) => name),
      ['exploited-medium', 'likely-critical', 'five-critical', 'two-critical', 'many-low', 'no-severity'],
    );
  });
});

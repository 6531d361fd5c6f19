import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { SETTINGS } from '../../src/settings.ts';

/** The unit for systemd, judged by systemd's own tools. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const UNIT = readFileSync(join(ROOT, 'deploy/systemd/sextant.service'), 'utf8');
/** Tenths of 10, the worst; "OK" begins at 5, and what has network cannot be at 0. */
const MAX_EXPOSURE = 20;
const NO_SYSTEMD = spawnSync('systemd-analyze', ['--version']).error !== undefined && 'no systemd-analyze';

const valuesOf = (name: string): string[] =>
  [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

/** The unit with a program that is there, as the command is installed elsewhere. */
function installed(t: TestContext, unit = UNIT): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-systemd-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sextant.service');
  writeFileSync(file, unit.replace('ExecStart=sextant', `ExecStart=${process.execPath}`));
  return file;
}

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });

describe('sextant.service', () => {
  test('is one that systemd reads without a warning', { skip: NO_SYSTEMD }, (t) => {
    const { status, stderr } = analyze('verify', '--man=no', '--recursive-errors=no', installed(t));
    assert.deepEqual([status, stderr], [0, '']);
    const { stderr: ofWrong } = analyze(
      'verify',
      '--man=no',
      '--recursive-errors=no',
      installed(t, UNIT.replace('ProtectClock=', 'ProtectClok=')),
    );
    assert.match(ofWrong, /ProtectClok/);
  });

  test('is exposed little', { skip: NO_SYSTEMD }, (t) => {
    const { status, stdout, stderr } = analyze(
      'security',
      '--offline=true',
      `--threshold=${MAX_EXPOSURE}`,
      installed(t),
    );
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /Overall exposure level for sextant\.service: \d\.\d/);
  });

  test('has the limits of the container, settings that exist, and the user of sysusers', () => {
    const { services } = load(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { schema: YAML11_SCHEMA }) as {
      services: { sextant: { mem_limit: string; pids_limit: number } };
    };
    assert.equal(valuesOf('MemoryMax')[0]!.toLowerCase(), services.sextant.mem_limit);
    assert.equal(Number(valuesOf('TasksMax')[0]), services.sextant.pids_limit);
    const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
    const used = [...valuesOf('Environment')[0]!.matchAll(/(SEXTANT_\w+)=/g)].map(([, name]) => name!);
    assert.ok(used.length > 0 && used.every((name) => known.has(name)));
    const [, user, , , home] = readFileSync(join(ROOT, 'deploy/systemd/sextant.sysusers'), 'utf8')
      .trim()
      .match(/^u (\w+) (-) "(\w+)" (\S+)$/)!;
    assert.deepEqual(valuesOf('User'), [user]);
    assert.equal(home, `/var/lib/${valuesOf('StateDirectory')[0]}`);
  });
});

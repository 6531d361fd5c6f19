import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkCode, type CodeOptions } from '../../src/cli/check/check-code.ts';
import { ApiError } from '../../src/errors.ts';
import { temporaryFolder } from './command-line.ts';

const absolutePath = join(temporaryFolder(), 'main.py');
writeFileSync(absolutePath, 'x = 1\n');

/** Runs the injection check on one file; the check throws `error`. */
async function reasonOf(error: Error): Promise<string | undefined> {
  const options: CodeOptions = {
    checks: ['injection'],
    get parameters(): boolean {
      throw error;
    },
  };
  const { report, unread } = await checkCode([{ path: 'main.py', absolutePath, bytes: 6 }], options);
  assert.equal(report.files, 1);
  return unread[0]?.reason;
}

it('lists a finding in the published form', async () => {
  const path = join(temporaryFolder(), 'key.py');
  writeFileSync(path, 'password = "Tr7-quiet-Lamp-kL29"\n');
  const { report } = await checkCode([{ path: 'key.py', absolutePath: path, bytes: 33 }], {
    checks: ['secrets'],
    parameters: false,
  });
  const fields = 'check file type severity line column length match description remediation';
  assert.deepEqual(Object.keys(report.findings[0]!), fields.split(' '));
});

describe('a check that fails', () => {
  it('says so where it reached a limit of time or memory', async () => {
    assert.match((await reasonOf(new ApiError('not_ready', 'too late')))!, /too much time or memory/);
    const outOfMemory = Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    assert.match((await reasonOf(outOfMemory))!, /too much time or memory/);
  });

  it('says that any other error is an internal one, and names its type', async () => {
    const reason = await reasonOf(new TypeError('x is not a function'));
    assert.match(reason!, /^the check for injection failed with an internal error \(TypeError\)/);
  });
});

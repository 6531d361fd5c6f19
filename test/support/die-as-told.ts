import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Lets this process be killed at a call: `die:<function of node:fs>:<before|after>:<nth call>`. False for any other text. */
export function dieAsTold(how: string): boolean {
  const [, name, when, nth] = /^die:(\w+):(before|after):(\d+)$/.exec(how) ?? [];
  if (name === undefined) return false;
  dieAt(name as 'renameSync', when!, Number(nth));
  return true;
}

function dieAt(which: 'renameSync', moment: string, call: number): void {
  const real = fs[which] as (...given: unknown[]) => unknown;
  let calls = 0;
  const die = (): void => process.kill(process.pid, 'SIGKILL') as unknown as void;
  const dying = (...given: unknown[]): unknown => {
    const isIt = ++calls === call;
    if (isIt && moment === 'before') die();
    const result = real(...given);
    if (isIt) die();
    return result;
  };
  (fs as unknown as Record<string, unknown>)[which] = dying;
  syncBuiltinESMExports();
}

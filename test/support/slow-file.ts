import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * A lease on the file (fcntl(2), F_SETLEASE): who opens it waits until the lease is given back, at most 45 s by the kernel's default
 * (/proc/sys/fs/lease-break-time). Says `held`, then `wanted` once somebody waits.
 */
const HOLD = `
use Fcntl qw(:DEFAULT F_SETLEASE F_WRLCK);
$| = 1;
$SIG{IO} = sub { print "wanted\\n" };
sysopen(my $file, $ARGV[0], O_RDWR) or die;
fcntl($file, F_SETLEASE, F_WRLCK) or die;
print "held\\n";
sleep 1 while getppid() != 1;
`;

/** For `skip`: leases are Linux's, and Perl takes them. */
export const NO_SLOW_FILES: string | false = !canHold() && 'no file leases';

interface Owner {
  after(end: () => unknown): void;
}

export interface SlowFile {
  /** Somebody opens the file, and waits. */
  wanted: Promise<unknown>;
  /** The file can be read as usual. */
  release: () => void;
}

/** Makes a file slow: opening it takes until `release`. Nobody else may have it open now. */
export async function slowFile(owner: Owner, path: string): Promise<SlowFile> {
  const holder = spawn('perl', ['-e', HOLD, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const release = (): void => void holder.kill('SIGKILL');
  owner.after(release);
  const lines = createInterface(holder.stdout);
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string | undefined];
  if (line !== 'held') throw new Error(`no lease on ${path}`);
  return { wanted: once(lines, 'line'), release };
}

function canHold(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-lease-'));
  const path = join(folder, 'file');
  writeFileSync(path, '');
  try {
    return spawnSync('perl', ['-e', HOLD.replace(/sleep.*/, ''), path]).stdout?.toString() === 'held\n';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

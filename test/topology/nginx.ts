import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '../support/engines.ts';

const CONF = new URL('../../deploy/nginx.conf', import.meta.url);

export const NO_NGINX: string | false = spawnSync('nginx', ['-v']).error !== undefined && 'no nginx';

export interface Nginx {
  base: string;
  /** The text of every file that it wrote. */
  written: () => string;
}

/** deploy/nginx.conf for a folder of its own: other ports, other paths, nothing else. */
export function adaptedConf(folder: string, ports: readonly number[], listen: number): string {
  let conf = readFileSync(CONF, 'utf8');
  for (const [at, port] of ports.entries()) conf = conf.replace(`replica-${at + 1}:8080`, `127.0.0.1:${port}`);
  return conf
    .replace('listen 8080;', `listen 127.0.0.1:${listen};`)
    .replace(/\/tmp\/|\/dev\/(?=stderr)/g, `${folder}/`);
}

/** The proxy of the deployment before these ports of 127.0.0.1. */
export async function startNginx(
  owner: { after(end: () => Promise<void>): void },
  ports: readonly number[],
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-nginx-'));
  const listen = await freePort();
  const conf = join(folder, 'nginx.conf');
  writeFileSync(conf, adaptedConf(folder, ports, listen));
  // Started as root it would go on as a user who cannot write to the folder.
  const directives = `daemon off;${process.getuid?.() === 0 ? ' user root;' : ''}`;
  const child = spawn('nginx', ['-p', folder, '-c', conf, '-g', directives], { stdio: 'ignore' });
  const killAtExit = (): void => void child.kill('SIGTERM');
  process.once('exit', killAtExit);
  owner.after(async () => {
    process.off('exit', killAtExit);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const base = `http://127.0.0.1:${listen}`;
  await eventually(async () => (await fetch(`${base}/healthz`)).ok, 'nginx answers');
  return {
    base,
    written: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('\n'),
  };
}

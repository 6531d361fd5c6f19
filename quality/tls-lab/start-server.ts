import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer, connect, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { integer, pem, sequence } from '../../test/lab/der.ts';
import { createRawTlsServer } from '../../test/lab/raw-tls-server.ts';
import { chainPem, keyPem, leafPem, type LeafKind, MIDDLE_PEM, stapleOf } from './certificates.ts';
import type { MeasuredServer } from './servers.ts';

export interface RunningServer {
  /** Of a proxy before it, on 127.0.0.1. */
  port: number;
  /** Connections to the proxy since the last call. */
  countConnections(): number;
  stop(): Promise<void>;
}

/** Starts a server behind a proxy that counts. Throws where its program is not installed. */
export async function startServer({ run }: MeasuredServer): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tls-lab-'));
  const write = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const { port, stop } =
    run.with === 'raw' || run.with === 'node' ? await startInProcess(run) : await startProgram(run, folder, write);
  let connections = 0;
  const proxy = createTcpServer((near) => {
    connections++;
    const far = connect(port, '127.0.0.1');
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  return {
    port: await listen(proxy),
    countConnections() {
      const counted = connections;
      connections = 0;
      return counted;
    },
    async stop() {
      proxy.close();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type InProcess = Extract<MeasuredServer['run'], { with: 'raw' | 'node' }>;
type Program = Exclude<MeasuredServer['run'], InProcess>;
type Started = { port: number; stop: () => Promise<void> };

async function startInProcess(run: InProcess): Promise<Started> {
  const server =
    run.with === 'raw'
      ? createRawTlsServer(run.plan)
      : createTlsServer({ ...run.options, key: run.leaves.map(keyPem), cert: run.leaves.map(chainPem) }, (socket) => {
          socket.on('error', () => {});
          socket.on('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nok\n'));
        });
  server.on('tlsClientError', () => {});
  return {
    port: await listen(server),
    async stop() {
      server.close();
    },
  };
}

async function startProgram(
  run: Program,
  folder: string,
  write: (name: string, content: string | Buffer) => string,
): Promise<Started> {
  const port = await freePort();
  const files = run.leaves.map((kind) => ({
    kind,
    chain: write(`${kind}.pem`, chainPem(kind)),
    key: write(`${kind}.key`, keyPem(kind)),
  }));
  const child =
    run.with === 'openssl'
      ? spawn(
          'openssl',
          ['s_server', '-accept', `127.0.0.1:${port}`, '-www', '-quiet', ...opensslFiles(run, write), ...run.args],
          { stdio: 'ignore' },
        )
      : spawn(
          'nginx',
          [
            '-p',
            folder,
            '-e',
            join(folder, 'error.log'),
            '-c',
            write('nginx.conf', nginxConfiguration(folder, port, files, run.lines)),
          ],
          { stdio: 'ignore' },
        );
  await isListening(port, child);
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await pause(50);
    },
  };
}

function opensslFiles(
  { leaves, dhParams, staples }: Extract<Program, { with: 'openssl' }>,
  write: (name: string, content: string | Buffer) => string,
): string[] {
  const options = (kind: LeafKind, prefix: '' | 'd'): string[] => [
    `-${prefix}cert`,
    write(`${prefix}leaf.pem`, leafPem(kind)),
    `-${prefix}key`,
    write(`${prefix}leaf.key`, keyPem(kind)),
    `-${prefix}cert_chain`,
    write(`${prefix}chain.pem`, MIDDLE_PEM),
  ];
  const dh = dhParams && pem('DH PARAMETERS', sequence(integer(BigInt(`0x${dhParams.toString('hex')}`)), integer(2n)));
  return [
    ...options(leaves[0]!, ''),
    ...(leaves[1] === undefined ? [] : options(leaves[1], 'd')),
    ...(dh === undefined ? [] : ['-dhparam', write('dh.pem', dh)]),
    ...(staples === true ? ['-status_file', write('staple.der', stapleOf(leaves[0]!))] : []),
  ];
}

function nginxConfiguration(
  folder: string,
  port: number,
  files: readonly { chain: string; key: string }[],
  lines: string,
): string {
  const certificates = files.map(({ chain, key }) => `ssl_certificate ${chain}; ssl_certificate_key ${key};`).join(' ');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder};`)
    .join(' ');
  return `daemon off; pid ${folder}/pid; events {} http { access_log off; ${temporary}
    server { listen 127.0.0.1:${port} ssl; ${certificates} ${lines} location / { return 200 ok; } } }`;
}

/** Waits up to ten seconds. */
async function isListening(port: number, child: ChildProcess): Promise<void> {
  for (let tried = 0; tried < 200; tried++) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (open) return;
    await pause(50);
  }
  throw new Error('the server does not listen');
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  const port = await listen(server);
  server.close();
  return port;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

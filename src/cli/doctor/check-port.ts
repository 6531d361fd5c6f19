import { createServer } from 'node:net';
import { openNetworkClient } from '../../net/open-network-client.ts';
import { type DoctorResult, noteResult, okResult, wrongResult } from './doctor-result.ts';

const PROBE_TIMEOUT_MS = 2000;

/** Checks whether the service can listen at the configured address. */
export async function checkPort(host: string, port: number): Promise<DoctorResult> {
  const name = 'port';
  const hostAndPort = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return okResult(name, 'any free one');
  const failure = await listenErrorCode(host, port);
  if (failure === null) return okResult(name, `${hostAndPort} is free`);
  if (failure === 'EADDRINUSE') {
    if (await isSextantRunningAt(hostAndPort))
      return noteResult(name, `${hostAndPort} is in use: a Sextant seems to run there`);
    return wrongResult(name, `${hostAndPort} is in use by another program`, 'set SEXTANT_PORT to a free one');
  }
  if (failure === 'EACCES')
    return wrongResult(name, `${hostAndPort}: this user may not listen there`, 'set SEXTANT_PORT to 1024 or above');
  const remedy = 'set SEXTANT_HOST to an address of this machine';
  return wrongResult(name, `${hostAndPort}: cannot listen there (${failure})`, remedy);
}

function listenErrorCode(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });
}

async function isSextantRunningAt(hostAndPort: string): Promise<boolean> {
  const net = openNetworkClient({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
  try {
    const options = { trusted: true, timeoutMs: PROBE_TIMEOUT_MS, maxBytes: 1024 };
    const { status, body } = await net.fetch(new URL(`http://${hostAndPort}/healthz`), options);
    const health = JSON.parse(new TextDecoder().decode(body)) as { status?: unknown } | null;
    return status === 200 && health?.status === 'ok';
  } catch {
    return false;
  } finally {
    await net.close();
  }
}

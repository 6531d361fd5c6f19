import { createServer } from 'node:net';
import { httpGet, readJson } from '../../net/http.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const PROBE_MS = 2000;

/** Whether the service could listen where it is told to. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  const name = 'port';
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return ok(name, 'any free one');
  const failure = await failureToListen(host, port);
  if (failure === null) return ok(name, `${place} is free`);
  if (failure === 'EADDRINUSE') {
    if (await servesHealth(place)) return note(name, `${place} is in use: a Sextant seems to run there`);
    return wrong(name, `${place} is in use by another program`, 'set SEXTANT_PORT to a free one');
  }
  if (failure === 'EACCES')
    return wrong(name, `${place}: this user may not listen there`, 'set SEXTANT_PORT to 1024 or above');
  return wrong(name, `${place}: cannot listen there (${failure})`, 'set SEXTANT_HOST to an address of this machine');
}

function failureToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });
}

async function servesHealth(place: string): Promise<boolean> {
  try {
    const answer = await httpGet(`http://${place}/healthz`, { bounds: { headersMs: PROBE_MS, totalMs: PROBE_MS } });
    const body = (await readJson(answer, 1024)) as { status?: unknown } | null;
    return answer.status === 200 && body?.status === 'ok';
  } catch {
    return false;
  }
}

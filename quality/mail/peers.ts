import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { NpmPeer } from '../npm-peer.ts';
import { findRecords, type Zone } from './zone-dns.ts';

/** A message of which SPF is to be evaluated. */
export interface SpfQuestion {
  zone: Zone;
  ip: string;
  sender: string;
  helo: string;
}

/** Another tool, by name with version, and its results in the order of the questions. */
export interface SpfAnswers {
  tool: string;
  results: readonly string[];
  seconds: number;
}

const TIMEOUT_MS = 120_000;

/** pyspf of Debian (`python3-spf`). Null: it is not installed. */
export function askPyspf(questions: readonly SpfQuestion[]): SpfAnswers | null {
  const started = performance.now();
  try {
    const output = execFileSync('/usr/bin/python3', [join(import.meta.dirname, 'pyspf.py')], {
      input: JSON.stringify(questions),
      timeout: TIMEOUT_MS,
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const { version, results } = JSON.parse(output.toString()) as { version: string; results: string[] };
    return { tool: `pyspf ${version}`.trim(), results, seconds: (performance.now() - started) / 1000 };
  } catch {
    return null;
  }
}

/** `mailauth` on the same zones. */
export async function askMailauthSpf({ tool, load }: NpmPeer, questions: readonly SpfQuestion[]): Promise<SpfAnswers> {
  const { spf } = load('/lib/spf') as { spf: (message: object) => Promise<{ status: { result: string } }> };
  const started = performance.now();
  const results: string[] = [];
  for (const { zone, ip, sender, helo } of questions) {
    const message = {
      sender: sender === '' ? `postmaster@${helo}` : sender,
      ip,
      helo,
      mta: 'mx.example',
      resolver: nodeResolver(zone),
    };
    results.push(
      await spf(message).then(
        ({ status }) => status.result,
        () => 'error',
      ),
    );
  }
  return { tool, results, seconds: (performance.now() - started) / 1000 };
}

/** The DMARC policy for a domain that `mailauth` finds: `none_found` without one. */
export async function askMailauthDmarc({ load }: NpmPeer, domain: string, zone: Zone): Promise<string> {
  const { dmarc } = load('/lib/dmarc') as {
    dmarc: (message: object) => Promise<{ status: { result: string }; policy?: string } | false>;
  };
  const message = { headerFrom: `someone@${domain}`, spfDomains: [], dkimDomains: [], resolver: nodeResolver(zone) };
  try {
    const found = await dmarc(message);
    return found === false || found.policy === undefined || found.status.result === 'none'
      ? 'none_found'
      : found.policy;
  } catch {
    return 'error';
  }
}

/** As `dns.promises.resolve` of Node answers. */
function nodeResolver(zone: Zone): (name: string, type: string) => Promise<unknown[]> {
  return async (name, type) => {
    const found = findRecords(zone, name, type);
    if (found === null) throw Object.assign(new Error('timeout'), { code: 'ETIMEOUT' });
    if (found.length === 0) throw Object.assign(new Error('no data'), { code: 'ENOTFOUND' });
    if (type === 'TXT') return found.map((text) => [String(text)]);
    if (type === 'MX') return (found as [number, string][]).map(([priority, exchange]) => ({ priority, exchange }));
    return [...found];
  };
}

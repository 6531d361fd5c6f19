import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FuzzClient, type FuzzReply } from './client.ts';
import { type Declared, type Judge, judgeOf } from './judge.ts';
import { requestOf } from './requests.ts';
import { type FuzzRequest } from './fuzz-request.ts';
import { LOOK_UP, Probe } from './probe.ts';
import type { FromService } from './service.ts';

export interface FuzzOptions {
  /** How many requests; they go from `first` on. */
  requests: number;
  seed: number;
  first?: number;
  /** Sent before all others: what once went wrong. */
  seeds?: readonly FuzzRequest[];
  /** A data folder with a catalog; default: the fixture catalog. */
  data?: string;
  /** Called with each finding as it comes, and now and then with a line about how far it is. */
  report?: (line: string) => void;
}

export interface Finding {
  /** Number of the request, or `seed 3`. */
  at: string;
  what: string[];
  request: FuzzRequest;
  reply: string;
}

export interface FuzzResult {
  findings: Finding[];
  sent: number;
  seconds: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  /** What a caller who looks up a CVE waits, beside ordinary callers and beside the fuzzer: 99th percentile in milliseconds. */
  waits: { besideOrdinary: number; besideFuzzer: number };
  /** After a collection, in bytes: after each tenth of the requests. */
  memory: { heapBytes: number; rssBytes: number }[];
  /** Lines at level error that the service logged. */
  errorLines: string[];
}

const AT_ONCE = 16;
const MAX_FINDINGS = 50;
/** An ordinary turn and a turn of the fuzzer follow one another, so that both meet the machine as it is. */
const TURN = 5000;
const ORDINARY_TURN = 5000;
const TENTHS = 10;

/** Starts a service of its own, asks it all requests of the run, and tells what came back that must not. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const service = await startFuzzService(options.data);
  const client = new FuzzClient(service.port);
  const probe = new Probe(service.port);
  try {
    return await runFuzz(options, service, client, probe);
  } finally {
    client.close();
    await probe.close();
    await service.stop();
  }
}

async function runFuzz(
  options: FuzzOptions,
  service: FuzzService,
  client: FuzzClient,
  probe: Probe,
): Promise<FuzzResult> {
  const { requests, seed, first = 0, seeds = [], report } = options;
  const document = JSON.parse(
    (await client.send({ method: 'GET', path: '/openapi.json', headers: {} }, 0)).text,
  ) as Declared;
  const judge = judgeOf(document);
  const findings: Finding[] = [];
  const statuses: Record<string, number> = {};
  const sendOne = async (request: FuzzRequest, at: string, caller: number): Promise<void> => {
    const { reply, wrong } = await judged(client, judge, request, caller);
    const status = `${request.surface} ${reply?.status ?? 'no answer'}`;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (wrong.length > 0 && findings.length < MAX_FINDINGS) {
      const finding = {
        at,
        what: wrong,
        request,
        reply: reply === null ? '' : `${reply.status} ${reply.text.slice(0, 500)}`,
      };
      findings.push(finding);
      report?.(findingText(finding));
    }
  };
  const started = performance.now();
  await inTurns(seeds.length, (at) => sendOne(seeds[at]!, `seed ${at}`, at));
  const ordinary: number[] = [];
  const beside: number[] = [];
  const memory: FuzzResult['memory'] = [];
  for (let done = 0; done < requests; done += TURN) {
    const turn = Math.min(TURN, requests - done);
    ordinary.push(
      ...(await probe.during(() => inTurns(Math.min(ORDINARY_TURN, turn), (at) => client.send(LOOK_UP, at)))),
    );
    beside.push(
      ...(await probe.during(() =>
        inTurns(turn, (at) => sendOne(requestOf(seed, first + done + at), String(first + done + at), at)),
      )),
    );
    if (done + turn >= (requests * (memory.length + 1)) / TENTHS) memory.push(await service.memory());
    if (service.ended()) break;
    report?.(
      `${done + turn} of ${requests}, ${findings.length} findings, ${Math.round((performance.now() - started) / 1000)} s`,
    );
  }
  return {
    findings,
    sent: seeds.length + requests,
    seconds: Math.round((performance.now() - started) / 1000),
    statuses,
    waits: { besideOrdinary: percentile(ordinary), besideFuzzer: percentile(beside) },
    memory,
    errorLines: service.errorLines(),
  };
}

/** A finding as a person reads it. */
export function findingText({ at, what, request, reply }: Finding): string {
  const { method, path, headers, body = '' } = request;
  const sent = Buffer.from(body, 'base64').toString().slice(0, 300);
  return `\n${at}: ${what.join('; ')}\n  ${method} ${path.slice(0, 300)} ${JSON.stringify(headers)}\n  ${sent}\n  ${reply}`;
}

async function judged(
  client: FuzzClient,
  judge: Judge,
  request: FuzzRequest,
  caller: number,
): Promise<{ reply: FuzzReply | null; wrong: string[] }> {
  try {
    const reply = await client.send(request, caller);
    return { reply, wrong: judge(request, reply) };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    // A body that is over the limit is refused while it is still being sent.
    const refusedEarly = (code === 'EPIPE' || code === 'ECONNRESET') && (request.body?.length ?? 0) > 1_000_000;
    return { reply: null, wrong: refusedEarly ? [] : [`no answer: ${message}`] };
  }
}

/** Runs `work` for 0 to `count` - 1, some side by side. */
async function inTurns(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function percentile(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 10) / 10;
}

interface FuzzService {
  port: number;
  memory(): Promise<{ heapBytes: number; rssBytes: number }>;
  errorLines(): string[];
  ended(): boolean;
  stop(): Promise<void>;
}

async function startFuzzService(data: string | undefined): Promise<FuzzService> {
  const file = fileURLToPath(new URL('service.ts', import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ['--expose-gc', file, ...(data === undefined ? [] : ['--data', data])],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the service ended:\n${log.slice(-4000)}`);
  });
  // Nobody waits for it while nothing is asked.
  ended.catch(() => {});
  const said = async (): Promise<FromService> => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [FromService];
    return message;
  };
  const first = await said();
  if (!('port' in first)) throw new Error('the service did not tell its port');
  return {
    port: first.port,
    async memory() {
      child.send('memory');
      return (await said()) as { heapBytes: number; rssBytes: number };
    },
    errorLines: () => log.split('\n').filter((line) => /"level":[56]0|^\w*Error/.test(line)),
    ended: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(late);
    },
  };
}

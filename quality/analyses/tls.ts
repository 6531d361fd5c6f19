import type { AnalysisQuality, CorpusQuality, Counts, MeasureQuality, ToolResult } from '../analysis-quality.ts';
import { commonestMistakes, type WrongCase } from '../counts.ts';
import { type Fact, type FactGroup, groupOf, kindOf, suiteFact } from '../tls-lab/facts.ts';
import { askOurselves } from '../tls-lab/our-facts.ts';
import { type Peer, PEERS } from '../tls-lab/peers.ts';
import { type MeasuredServer, SERVERS } from '../tls-lab/servers.ts';
import { startServer } from '../tls-lab/start-server.ts';

const OWN = 'Sextant';
const GROUPS: readonly FactGroup[] = ['protocols, suites and groups', 'certificates, features and attacks'];

/** What one tool found out about one server. */
interface Look {
  server: MeasuredServer;
  tool: string;
  facts: ReadonlySet<Fact>;
  seconds: number;
  connections: number;
  grade: string | null;
  gaps: readonly string[];
  isStopped: boolean;
}

/** Servers on loopback whose settings are known, each looked at by this service and, where peers are given, by sslscan and testssl.sh. */
export const measureQuality: MeasureQuality = async ({ peers }) => {
  const tools = peers === null ? [] : PEERS.filter(({ version }) => version() !== null);
  const notes = [
    'The truth is the configuration: suites by `openssl ciphers -s`, the rest by options, or by the plan of a server that answers a ClientHello with bytes of its own (SSL 2 and 3, RC4, DES, export, compression). A fact that a tool does not look for counts as missed.',
    ...(peers === null ? ['Without peers: sslscan and testssl.sh were not run.'] : []),
    ...(peers === null
      ? []
      : PEERS.filter((peer) => !tools.includes(peer)).map(({ name }) => `${name} is not installed.`)),
  ];
  const looks: Look[] = [];
  for (const [index, server] of SERVERS.entries()) {
    try {
      const own = tools.filter(({ oneOf }) => index % oneOf === 0);
      looks.push(...(await lookAtServer(server, own)));
    } catch (error) {
      notes.push(
        `Not measured, because its program is missing or failed: ${server.name} (${(error as Error).message}).`,
      );
    }
  }
  const own = looks.filter(({ tool }) => tool === OWN);
  notes.push(...connectionNotes(looks), ...own.flatMap(gapNote));
  return {
    title: 'TLS by enumeration',
    corpora: [...GROUPS.map((group) => corpusOf(group, looks)), gradeCorpus(own)],
    mistakes: commonestMistakes(own.flatMap(mistakesIn)),
    notes,
  } satisfies AnalysisQuality;
};

async function lookAtServer(server: MeasuredServer, tools: readonly Peer[]): Promise<Look[]> {
  const running = await startServer(server);
  try {
    running.countConnections();
    const looks: Look[] = [];
    const look = async (tool: string, ask: () => Promise<Pick<Look, 'facts'> & Partial<Look>>): Promise<void> => {
      const start = performance.now();
      const found = await ask();
      const seconds = (performance.now() - start) / 1000;
      const connections = running.countConnections();
      looks.push({ server, tool, grade: null, gaps: [], isStopped: false, ...found, seconds, connections });
    };
    await look(OWN, () => askOurselves(running.port));
    for (const { name, version, ask } of tools) await look(`${name} ${version()}`, () => ask(running.port));
    return looks;
  } finally {
    await running.stop();
  }
}

/** All facts that the settings of a server make true. */
function truthOf({ suites, groups, signatures, keys, features, attacks }: MeasuredServer): Set<Fact> {
  return new Set([
    ...Object.keys(suites).map((version) => `protocol ${version}`),
    ...Object.entries(suites).flatMap(([version, codes]) => codes.map((code) => suiteFact(version, code))),
    ...groups.map((name) => `group ${name}`),
    ...(signatures ?? []).map((name) => `signature ${name}`),
    ...keys.map((name) => `key ${name}`),
    ...features.map((name) => `feature ${name}`),
    ...attacks.map((name) => `attack ${name}`),
  ]);
}

/** Facts that were found, and those that are wrong or missing. Signatures count only where the settings name them. */
function compare({ server, facts }: Look): { right: Fact[]; wrong: Fact[]; missed: Fact[] } {
  const truth = truthOf(server);
  const counted = [...facts].filter((fact) => server.signatures !== undefined || !fact.startsWith('signature '));
  return {
    right: counted.filter((fact) => truth.has(fact)),
    wrong: counted.filter((fact) => !truth.has(fact)),
    missed: [...truth].filter((fact) => !facts.has(fact)),
  };
}

function corpusOf(group: FactGroup, looks: readonly Look[]): CorpusQuality {
  const servers = new Set(looks.map(({ server }) => server));
  const inGroup = (facts: readonly Fact[]): number => facts.filter((fact) => groupOf(fact) === group).length;
  const total = [...servers].reduce((sum, server) => sum + inGroup([...truthOf(server)]), 0);
  const results = [...Map.groupBy(looks, ({ tool }) => tool)].map(([tool, own]): ToolResult => {
    const compared = own.map(compare);
    const sum = (part: 'right' | 'wrong' | 'missed'): number =>
      compared.reduce((all, found) => all + inGroup(found[part]), 0);
    const seconds = own.reduce((all, look) => all + look.seconds, 0);
    const counts: Counts = {
      truePositives: sum('right'),
      falsePositives: sum('wrong'),
      falseNegatives: sum('missed'),
      trueNegatives: null,
    };
    return { tool, counts, seconds, speed: `${(seconds / own.length).toFixed(2)} s a server` };
  });
  return { name: group, origin: 'lab', size: `${total} facts of ${servers.size} servers`, results };
}

/** A right grade is a true positive; a wrong one is found and not there, and missed. */
function gradeCorpus(own: readonly Look[]): CorpusQuality {
  const right = own.filter(({ server, grade }) => server.grade === grade).length;
  const wrong = own.length - right;
  const counts = { truePositives: right, falsePositives: wrong, falseNegatives: wrong, trueNegatives: null };
  return {
    name: 'grades by the SSL Labs server rating guide, computed by hand',
    origin: 'lab',
    size: `${own.length} servers`,
    results: [{ tool: OWN, counts, seconds: null, speed: null }],
  };
}

function connectionNotes(looks: readonly Look[]): string[] {
  return [...Map.groupBy(looks, ({ tool }) => tool)].map(([tool, own]) => {
    const counts = own.map(({ connections }) => connections).toSorted((a, b) => a - b);
    const seconds = own.map((look) => look.seconds).toSorted((a, b) => a - b);
    const stopped = own.filter(({ isStopped }) => isStopped).length;
    const end =
      stopped > 0 ? ` Stopped at its time limit on ${stopped} servers; what it had found by then counts.` : '';
    return `${tool}, ${own.length} servers: ${counts[0]} to ${counts.at(-1)} connections a server, median ${counts[counts.length >> 1]}; ${seconds[0]!.toFixed(2)} to ${seconds.at(-1)!.toFixed(2)} s.${end}`;
  });
}

function gapNote({ server, gaps }: Look): string[] {
  return gaps.length === 0 ? [] : [`Gap that the answer names, ${server.name}: ${gaps.join('; ')}.`];
}

function mistakesIn(look: Look): WrongCase[] {
  const { wrong, missed } = compare(look);
  const of = (facts: readonly Fact[], what: string) =>
    facts.map((fact) => ({ kind: `${kindOf(fact)}: ${what}`, name: `${look.server.name}: ${fact}` }));
  const { name, grade } = look.server;
  const grades = look.grade === grade ? [] : [{ kind: 'grade: wrong', name: `${name}: ${look.grade} for ${grade}` }];
  return [...of(wrong, 'found and not there'), ...of(missed, 'missed'), ...grades];
}

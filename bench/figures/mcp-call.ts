import { compare, serveBare } from '../against-bare.ts';
import { stop } from '../child.ts';
import { atLeast, type Figure, type Row } from '../figure.ts';
import { KeepAliveClient, type Question } from '../http-client.ts';
import { Load } from '../load.ts';
import { drawCveIds } from '../workbench.ts';

const REPEATED_IDS = 5000;
const FAMOUS = 'CVE-2021-44228';
const ROUNDS = 3;
const AIM = atLeast(0.3, 0.5);

/** Look-ups of one CVE over `POST /mcp/`, `tools/call`, against a bare `node:http` server that writes the same bytes. */
export const mcpCall: Figure = {
  name: 'mcp-call',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('tools/call against bare node:http');
    const service = await bench.serve(dataDir);
    const ids = [...drawCveIds(dataDir).slice(0, REPEATED_IDS), FAMOUS];
    const pages: [path: string, body: string][] = [];
    const client = new KeepAliveClient(service.port);
    for (const id of ids) pages.push([`/${id}`, await answerOf(client, id)]);
    client.close();
    const bare = await serveBare(bench, pages);
    const load = new Load();
    const against = (title: string, asked: readonly string[]): Promise<Row[]> => {
      const own = asked.map((id) => callOf(id, '/mcp/'));
      const reference = asked.map((id) => callOf(id, `/${id}`));
      return compare(
        { title, aim: AIM, against: 'bare' },
        [service, () => own],
        [bare, () => reference],
        load,
        bench.rounds(ROUNDS),
      );
    };
    const repeated = ids.slice(0, -1);
    const rows = [
      ...(await against(
        `tools/call cve_lookup, ${repeated.length.toLocaleString('en')} ids again and again`,
        repeated,
      )),
      ...(await against(`tools/call cve_lookup, ${FAMOUS}`, [FAMOUS])),
    ];
    for (const { child } of [service, bare, load]) await stop(child);
    return rows;
  },
};

/** As clients of 2025 call a tool. */
export function callOf(id: string, path: string): Exclude<Question, string> {
  const params = { name: 'cve_lookup', arguments: { cve_id: id } };
  return { path, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}

async function answerOf(client: KeepAliveClient, id: string): Promise<string> {
  const { status, body } = await client.ask(callOf(id, '/mcp/'));
  const text = body.toString();
  if (status !== 200 || !text.includes('"structuredContent"'))
    throw new Error(`the call for ${id} is answered with ${status}`);
  return text;
}

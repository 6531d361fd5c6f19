import { type Evaluation, describeWalk, evaluate, isSolved } from '../../test/agents/evaluate.ts';
import { HELD_OUT, QUESTIONS } from '../../test/agents/questions.ts';
import { stop } from '../child.ts';
import { atLeast, atMost, type Figure, information, judged } from '../figure.ts';
import { serveInLab, startLab } from '../lab.ts';
import { median, percentile } from '../statistics.ts';

const SOLVED = `questions that a scripted agent answers, of ${QUESTIONS.length + HELD_OUT.length}`;
const SOLVED_AIM = atLeast(36);
const OPENING = 'tokens before the first question of an agent, compact mode';
const OPENING_AIM = atMost(2000, 500);

/** An agent of fixed rules walks questions of the field over MCP, compact mode: `test/agents`. The lab is the internet. */
export const agents: Figure = {
  name: 'agents',
  withoutFeeds: [SOLVED, OPENING],
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('questions of an agent');
    const lab = await startLab(0);
    const service = await serveInLab(bench, dataDir, lab);
    const address = `http://127.0.0.1:${service.port}`;
    const open = await evaluate(address, QUESTIONS);
    const heldOut = await evaluate(address, HELD_OUT);
    for (const { child } of [service, lab]) await stop(child);
    const walks = [...open.walks, ...heldOut.walks];
    for (const walk of walks) if (!isSolved(walk)) bench.say(describeWalk(walk));
    const solved = open.solved + heldOut.solved;
    const tokens = walks.map((walk) => walk.tokens);
    const calls = walks.map(({ steps }) => steps.length);
    const share = ({ solved: count, walks: all }: Evaluation): string => `${count} of ${all.length}`;
    return [
      judged(
        {
          figure: SOLVED,
          measured: `${share(open)}, and ${share(heldOut)} that were held out`,
          result: String(solved),
        },
        SOLVED_AIM,
        solved,
      ),
      judged(
        { figure: OPENING, measured: 'instructions and tools', result: String(open.openingTokens) },
        OPENING_AIM,
        open.openingTokens,
      ),
      information({
        figure: 'what a question costs an agent',
        measured: `calls: median ${median(calls)}, most ${Math.max(...calls)}`,
        result: `tokens: median ${Math.round(median(tokens))}, p90 ${Math.round(percentile(tokens, 0.9))}`,
      }),
    ];
  },
};

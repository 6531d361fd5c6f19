import { setPriority } from 'node:os';
import { openLab } from '../../test/lab/lab.ts';
import { labPlanOf } from '../../test/lab/lab-plan.ts';

const LOW_PRIORITY = 15;

/**
 * The lab of the tests, each of whose servers takes so many milliseconds to answer; a source is put into a mode by a message. It stands for
 * the internet, which takes no time of the service's cores: hence its priority.
 */
setPriority(LOW_PRIORITY);
const lab = await openLab({ delayMs: Number(process.argv[2]) });
process.on('message', ({ source, mode }: { source: string; mode: 'ok' | 'hang' }) => {
  lab.source(source).mode = mode;
  process.send!('done');
});
process.on('disconnect', () => process.exit());
process.send!(labPlanOf(lab));

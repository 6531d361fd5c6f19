import { openLab } from '../../test/lab/lab.ts';
import type { LabPlan } from '../lab.ts';

/** The lab of the tests, each of whose servers takes so many milliseconds to answer; a source is put into a mode by a message. */
const lab = await openLab({ delayMs: Number(process.argv[2]) });
const plan: LabPlan = {
  dial: lab.plan,
  dnsServers: lab.netOptions.dnsServers,
  extraCa: lab.netOptions.extraCa,
  rootKeys: [{ ...lab.dns.trustAnchor, digest: lab.dns.trustAnchor.digest.toString('hex') }],
  sourceUrls: Object.fromEntries(lab.sourceUrls),
  hosts: lab.hosts.map(({ host }) => host),
};
process.on('message', ({ source, mode }: { source: string; mode: 'ok' | 'hang' }) => {
  lab.source(source).mode = mode;
  process.send!('done');
});
process.on('disconnect', () => process.exit());
process.send!(plan);

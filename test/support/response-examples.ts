import { asksOutside } from '../../src/engine/operation.ts';
import { type RestOperation, restOperations } from '../../src/engine/route.ts';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import type { ResponseExamples } from '../../src/operations/load-response-examples.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { NOW } from '../operations/fixture-facts.ts';
import { ask } from '../operations/request-of.ts';
import { startService, type TestService } from './service.ts';

type Owner = Parameters<typeof startService>[0];

/** Sources that answer only with a key get one of the lab. */
const KEYS = { SEXTANT_ABUSECH_KEY: 'lab', SEXTANT_ABUSEIPDB_KEY: 'lab', SEXTANT_SHODAN_KEY: 'lab' };

interface Candidate {
  title: string;
  text: string;
  value: Record<string, unknown>;
}

/**
 * An answer of each REST operation to one of its examples: the shortest that has something to show. It is from the starter catalog where
 * that has it, else from the catalog of the tests, whose texts are ours, too; live sources and targets are those of the lab.
 */
export async function collectResponseExamples(owner: Owner): Promise<ResponseExamples> {
  const folder = temporaryFolder();
  await recoverOrCreateCatalog(folder, NOW);
  const starter = await startService(owner, { catalog: folder });
  const lab = await startService(owner, { sources: 'lab', keys: KEYS });
  const examples: Record<string, ResponseExamples[string]> = {};
  for (const operation of restOperations(OPERATIONS)) {
    const ofStarter = asksOutside(operation) ? [] : await answersOf(starter, operation);
    const ofLab = await answersOf(lab, operation);
    const best = ofStarter.find(showsSomething) ?? ofLab.find(showsSomething) ?? ofStarter[0] ?? ofLab[0];
    if (best === undefined) throw new Error(`${operation.id}: none of its examples has an answer`);
    examples[operation.id] = { title: best.title, value: best.value };
  }
  return examples;
}

/** Answers to the examples of an operation, the shortest first. */
async function answersOf(service: TestService, operation: RestOperation): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { title, input } of operation.examples) {
    const { status, text, body } = await ask(service, operation, input);
    if (status === 200) candidates.push({ title, text, value: body });
  }
  return candidates.toSorted((a, b) => a.text.length - b.text.length);
}

/** Neither an empty list, nor one whose rows are errors, nor an answer of no source. */
function showsSomething({ value, text }: Candidate): boolean {
  return value['total'] !== 0 && value['found'] !== null && !text.includes('"status":"error"');
}

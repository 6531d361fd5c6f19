import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { cleanText } from '../../src/analysis/display-text.ts';
import { foreignTextMarkerOf } from '../../src/mcp/mark-foreign-text.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { POISONED_CVES, poisonedCatalog } from '../pages/hostile/poisoned-catalog.ts';
import { stringsIn } from '../security/hostile.ts';
import { startService } from '../support/service.ts';
import { brokenMarks, patternOfPath } from './foreign-paths.ts';
import { ask } from './rpc.ts';

/** What a hostile feed wrote stands at declared paths alone, and within marks, in the answer of every tool that reads the catalog. */

/** In every payload. */
const SIGN = 'zq9x';

const service = await startService({ after }, { catalog: poisonedCatalog(), sources: 'lab' });
let shown = 0;

describe('text of a hostile feed', () => {
  for (const operation of OPERATIONS.filter(({ tool }) => tool?.openWorld === false))
    test(operation.id, async () => {
      const { paths } = foreignTextMarkerOf(operation)!.meta['sextant/foreign-text'];
      const patterns = paths.map(patternOfPath);
      const inputs = operation.examples.map(({ input }) => input as Record<string, unknown>);
      const ofCves = 'cve_id' in operation.input.shape ? POISONED_CVES.map((cve_id) => ({ ...inputs[0], cve_id })) : [];
      for (const given of [...inputs, ...ofCves]) {
        const { result } = (await ask(service, 'tools/call', { name: operation.id, arguments: given })).body;
        if (result.isError === true) continue;
        const hostile = [...stringsIn(result.structuredContent)].filter(([, text]) => text.includes(SIGN));
        shown += hostile.length;
        const undeclared = hostile.filter(
          ([at]) => !at.startsWith('$.next_calls') && !patterns.some((pattern) => pattern.test(at)),
        );
        assert.deepEqual(undeclared, [], JSON.stringify(given));
        for (const [at, text] of stringsIn(result.structuredContent)) assert.equal(cleanText(text), text, at);
        const { next_calls: _, ...marked } = JSON.parse(result.content[0].text);
        assert.deepEqual(brokenMarks(marked, SIGN), [], JSON.stringify(given));
      }
    });

  test('is shown at all', () => assert.ok(shown > 300, `${shown} times`));
});

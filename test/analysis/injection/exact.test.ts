import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkInjectionInThisThread } from '../../../src/threads/check-injection-in-this-thread.ts';
import { labelledSnippets } from './labelled.ts';

/** Snippets of which each must be read exactly: what each of them shows was once read wrongly. */

for (const [language, snippets] of Map.groupBy(labelledSnippets('exact'), (snippet) => snippet.language)) {
  describe(language, () => {
    for (const { title, code, expected } of snippets) {
      test(title, async () => {
        const { findings, gaps, unfollowed, analysis, parse_errors } = await checkInjectionInThisThread({
          code,
          language,
        });
        assert.deepEqual([analysis, parse_errors], ['syntax_tree', 0]);
        const found = findings.map(({ line, id }) => `${line} ${id}`);
        for (const gap of gaps)
          found.push(
            `${/ (?:enters|it reaches) .*? \(line (\d+)\)(?:, which is not|$)/.exec(gap)?.[1] ?? gap} unfollowed`,
          );
        assert.equal(unfollowed, gaps.length);
        assert.deepEqual(found.toSorted(), expected.toSorted());
      });
    }
  });
}

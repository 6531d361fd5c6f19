import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { screenLines } from '../../src/cli/run-and-print.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { startService } from '../support/service.ts';

/** A terminal as it opens. */
const [COLUMNS, LINES] = [80, 50];

const service = await startService({ after });
const operation = OPERATIONS.find(({ id }) => id === 'cve_lookup')!;

async function screenOf(id: string, query = ''): Promise<string> {
  const { body } = await service.get(`/v1/cve/${id}${query}`);
  const input = operation.input.parse({ cve_id: id, ...(query === '' ? {} : { include_affected_products: true }) });
  return screenLines(operation, body, input, COLUMNS).map(stripVTControlCharacters).join('\n');
}

describe('a CVE on a terminal', () => {
  for (const id of [IDS.log4shell, IDS.heartbleed, IDS.kevOnly, IDS.epssOnly, IDS.rejected, IDS.wordy, IDS.v4Only]) {
    test(`${id} fits ${COLUMNS} x ${LINES}, and says what is not known`, async () => {
      const lines = (await screenOf(id)).split('\n');
      assert.ok(lines.length <= LINES, `${lines.length} lines`);
      for (const label of ['severity', 'exploited', 'act', 'why', 'fix', 'affected']) {
        assert.ok(
          lines.some((line) => line.startsWith(`${label} `)),
          label,
        );
      }
    });
  }

  test('what to do, by when, who says so, which versions', async () => {
    const screen = await screenOf(IDS.log4shell);
    const { kev, required_action, action } = (await service.get(`/v1/cve/${IDS.log4shell}`)).body;
    assert.match(screen, new RegExp(`exploited +known since ${kev.date_added}, says CISA`));
    assert.match(screen, new RegExp(`act +immediate, deadline ${action.deadline}`));
    assert.ok(screen.replaceAll(/\s+/g, ' ').includes(required_action.slice(0, 200)));
    // Products of the same versions stand together.
    assert.match(
      screen.replaceAll(/\s+/g, ' '),
      /cisco appliance_1, cisco appliance_2 and \d+ more: versions not named/,
    );
    assert.match(screen, /apache log4j: from 2\.0 and before 2\.15\.0/);
    assert.match(screen, /fixed in 2\.15\.0/);
  });

  test('what no source says is named as not known', async () => {
    const screen = await screenOf(IDS.kevOnly);
    assert.match(screen, /severity +not scored/);
    assert.match(screen, /fix +exists; no source names its version/); // CISA: "Apply the update"
    assert.match(await screenOf(IDS.v2Only), /fix +not known: no source names a fixed version/);
    assert.match(screen, /affected +not known: no source names a product/);
    assert.match(screen.replaceAll('\n', ' '), /missing: .*no CVE record/);
  });

  test('who asks for a whole list gets all fields', async () => {
    assert.match(await screenOf(IDS.log4shell, '?include_affected_products=true'), /fact sources/);
  });
});

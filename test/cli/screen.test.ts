import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { screenLines } from '../../src/cli/screen-lines.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { startService } from '../support/service.ts';

/** A terminal as it opens. */
const [COLUMNS, LINES] = [80, 50];
const NOW = new Date('2026-11-20');

const service = await startService({ after });
const operation = OPERATIONS.find(({ id }) => id === 'cve_lookup')!;

async function screenOf(id: string, query = ''): Promise<string> {
  const { body } = await service.get(`/v1/cve/${id}?include_reference_tags=true${query}`);
  const input = operation.input.parse({
    cve_id: id,
    include_reference_tags: true,
    ...(query === '' ? {} : { include_affected_products: true }),
  });
  return screenLines(operation, body, input, { width: COLUMNS, all: false, now: NOW })
    .map(stripVTControlCharacters)
    .join('\n');
}

describe('a CVE on a terminal', () => {
  for (const id of [IDS.log4shell, IDS.heartbleed, IDS.kevOnly, IDS.epssOnly, IDS.wordy, IDS.v4Only]) {
    test(`${id} fits ${COLUMNS} x ${LINES}, and says what is not known`, async () => {
      const lines = (await screenOf(id)).split('\n');
      assert.ok(lines.length <= LINES, `${lines.length} lines`);
      assert.ok(lines[0]!.startsWith(id));
      assert.match(lines.slice(1, 4).join(' '), /EPSS/);
      for (const label of ['do', 'by', 'why', 'affected', 'scored', 'weakness']) {
        assert.ok(
          lines.some((line) => line.startsWith(`${label} `)),
          label,
        );
      }
      assert.doesNotMatch(lines.join('\n'), / -$/m, 'what has no value is left out');
    });
  }

  test('what to do, by when, who says so, which versions', async () => {
    const screen = (await screenOf(IDS.log4shell)).replaceAll(/\s+/g, ' ');
    const { kev, required_action, action } = (await service.get(`/v1/cve/${IDS.log4shell}`)).body;
    assert.ok(screen.includes(`KNOWN EXPLOITED since ${kev.date_added}`));
    assert.match(screen, new RegExp(` by ${action.deadline} \\(overdue by [\\d,]+ days\\), immediate`));
    assert.ok(screen.includes(required_action.slice(0, 200)));
    // Products of the same versions stand together.
    assert.match(screen, /cisco appliance 1, cisco appliance 2 and \d+ more: versions not named/);
    assert.match(screen, /apache log4j: from 2\.0 and before 2\.15\.0/);
    assert.match(screen, / do Update apache log4j to 2\.15\.0 or later/);
  });

  test('what no source says is named as not known', async () => {
    const screen = await screenOf(IDS.kevOnly);
    assert.match(screen, /^not scored/m);
    assert.match(screen, /do +Update.*: a fix exists, no source names its version/); // CISA: "Apply the update"
    assert.match(await screenOf(IDS.v2Only), /do +Whether there is a fix is not known/);
    assert.match(screen, /affected +not known: no source names a product/);
    assert.match(screen.replaceAll('\n', ' '), /missing: .*no CVE record/);
  });

  test('a rejected one says that it is none', async () => {
    assert.match(await screenOf(IDS.rejected), /\nrejected: the id must not be used\n/);
  });

  test('who asks for a whole list gets all fields', async () => {
    assert.match(await screenOf(IDS.log4shell, '&include_affected_products=true'), /fact sources/);
  });
});

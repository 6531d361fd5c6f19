import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { cvelistFeed } from '../../src/feeds/cvelist/cvelist.ts';
import { cvelistFiles } from '../../src/feeds/cvelist/releases.ts';
import { createUpstream } from '../../src/feeds/create-upstream.ts';
import type { ParseReporter } from '../../src/feeds/feed.ts';
import { sharedPath } from '../support/shared.ts';

const folder = sharedPath('feeds-history', 'cvelistV5');

test('the baseline and twenty days of deltas are the 44,130 records that the publisher had then', {
  skip: folder === null && 'no history of feeds',
}, async () => {
  const address = pathToFileURL(`${folder}/`).href;
  const upstream = createUpstream({ address, layout: 'mirror' });
  const files = await cvelistFiles(upstream, { asOf: null, files: new Set() });
  assert.equal(files.length, 21);
  const skipped: string[] = [];
  const reporter: ParseReporter = {
    skip: (what) => skipped.push(what),
    setDataTime: () => {},
    setNote: () => {},
    setExpectedCount: () => {},
    setRecordCount: () => {},
  };
  const records = new Map<string, Pick<CveFacts, 'rejected' | 'ssvc'>>();
  let read = 0;
  for (const file of files) {
    const opened = await upstream.openFile(file.path, null);
    assert.ok(opened.status === 'open');
    for await (const batch of cvelistFeed.parse(opened.bytes, file, reporter)) {
      read += batch.length;
      for (const { cve_id, rejected, ssvc } of batch) records.set(cve_id, { rejected, ssvc });
    }
  }
  assert.deepEqual(skipped, []);
  assert.equal(read, 36_706 + 10_493);
  assert.equal(records.size, 44_130);
  const all = [...records.values()];
  assert.equal(all.filter(({ rejected }) => rejected).length, 104);
  // CISA assessed all that are published; values in another case are read, too.
  assert.equal(all.filter(({ ssvc }) => ssvc?.source === 'CISA-ADP').length, 44_026);
});

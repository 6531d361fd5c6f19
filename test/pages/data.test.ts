import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { PAGES } from '../../src/pages/list.ts';
import { startService } from '../support/service.ts';
import { EXAMPLES } from './examples.ts';

const service = await startService({ after }, { sources: 'lab', localUnlimited: true });

describe('each page is also its data', () => {
  // No watch has the id of an example: test/pages/watches.test.ts makes one.
  const isOfAnExample = (path: string) => path !== '/watches/:id';
  for (const page of PAGES.filter(({ path, question }) => question !== undefined && isOfAnExample(path))) {
    const path = EXAMPLES[page.path]?.[0];
    test(page.path, async () => {
      assert.ok(path !== undefined, 'no example');
      const data = await service.get(path, { accept: 'application/json' });
      assert.match(String(data.headers['content-type']), /^application\/json/);
      assert.match(String(data.headers.vary), /\bAccept\b/);
      assert.equal(data.status, 200, data.text);
      const address = data.headers['content-location'] as string | undefined;
      // The data of a page that is asked by POST has no address of its own.
      if (address === undefined) return;
      const same = await service.get(address);
      assert.deepEqual(Object.keys(data.body), Object.keys(same.body), address);
      // The page leads to it, for whoever reads the page first.
      const { text } = await service.get(path, { accept: 'text/html' });
      assert.ok(text.includes(`href="${address.split('?')[0]}`), `no link to ${address}`);
    });
  }
});

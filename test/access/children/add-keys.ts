import { openAccounts } from '../../../src/access/access.ts';
import { issueApiKey } from '../../../src/access/api-key-lifecycle.ts';

/** Opens the accounts of a folder, new or not, issues some keys and prints their ids. */
const [dataDir = '', count = ''] = process.argv.slice(2);
const accounts = await openAccounts({ dataDir }, 'full');
const ids: string[] = [];
for (let done = 0; done < Number(count); done++) {
  ids.push((await issueApiKey(accounts, { orderId: 'child', days: 1, now: new Date() })).record.id);
}
await accounts.addUsage([{ caller: 'c', endpoint: 'GET /v1/status', minute: new Date(0), count: 1 }]);
await accounts.close();
process.stdout.write(ids.join(' '));

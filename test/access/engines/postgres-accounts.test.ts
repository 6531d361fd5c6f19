import { after, test } from 'node:test';
import { PostgresAccounts } from '../../../src/access/postgres/postgres-accounts.ts';
import { NO_POSTGRES, startPostgres } from '../../support/engines.ts';
import { accountsSuite } from '../accounts-suite.ts';

if (NO_POSTGRES !== false) test('accounts: PostgreSQL', { skip: NO_POSTGRES });
else {
  accountsSuite('PostgreSQL', async () => {
    const { url } = await startPostgres({ after });
    const [one, other] = [1, 2].map(() => new PostgresAccounts({ url, onProblem: rethrow })) as [
      PostgresAccounts,
      PostgresAccounts,
    ];
    await Promise.all([one.waitUntilReady(5000), other.waitUntilReady(5000)]);
    return { one, other };
  });
}

function rethrow(problem: Error): never {
  throw problem;
}

import { after, test } from 'node:test';
import { openWatchStore } from '../../../src/watches/store/open-watch-store.ts';
import { temporaryFolder } from '../../operations/fixture-catalog.ts';
import { NO_POSTGRES, startPostgres } from '../../support/engines.ts';
import { queueSuite } from '../queue-suite.ts';
import { storeSuite } from '../store-suite.ts';

if (NO_POSTGRES !== false) test('watches: PostgreSQL', { skip: NO_POSTGRES });
else {
  storeSuite('PostgreSQL', async (now) => {
    const { url } = await startPostgres({ after });
    const settings = { dataDir: temporaryFolder(), secret: 'one secret of all replicas, 32 chars', databaseUrl: url };
    const [one, other] = await Promise.all([openWatchStore(settings, now), openWatchStore(settings, now)]);
    return { one, other, canWait: true, close: async () => void (await Promise.all([one.close(), other.close()])) };
  });
  queueSuite('PostgreSQL', true, async () => {
    const { url } = await startPostgres({ after });
    const settings = { dataDir: temporaryFolder(), secret: 'one secret of all replicas, 32 chars', databaseUrl: url };
    return openWatchStore(settings, () => new Date());
  });
}

import { openWatchStore } from '../../src/watches/store/open-watch-store.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { queueSuite } from './queue-suite.ts';
import { storeSuite } from './store-suite.ts';

storeSuite('SQLite', async (now) => {
  const settings = { dataDir: temporaryFolder(), secret: null, databaseUrl: null };
  const [one, other] = [await openWatchStore(settings, now), await openWatchStore(settings, now)];
  return { one, other, canWait: false, close: async () => void (await Promise.all([one.close(), other.close()])) };
});

queueSuite('SQLite', false, () =>
  openWatchStore({ dataDir: temporaryFolder(), secret: null, databaseUrl: null }, () => new Date()),
);

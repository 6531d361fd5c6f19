import { dieAsTold } from './die-as-told.ts';

/** Follows a published catalog in a process of its own, to be killed: `<address> <data> <key> <now> <how>`, see `dieAsTold`. */
const [, , address, folder, key, now, how = ''] = process.argv;
dieAsTold(how);

const { followCatalog } = await import('../../src/catalog/published/follow-catalog.ts');
const { createUpstream } = await import('../../src/feeds/create-upstream.ts');
await followCatalog({
  folder: folder!,
  upstream: createUpstream({ address: address!, layout: 'mirror' }),
  from: 'a folder',
  key: key!,
  now: new Date(now!),
});

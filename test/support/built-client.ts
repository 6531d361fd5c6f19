import { join } from 'node:path';
import { writeClientPackage } from '../../scripts/client/write-client-package.ts';
import { buildOnce, CHECKOUT, keyOf } from './build-once.ts';

const PARTS = ['clients', 'scripts', 'src', 'package.json', 'package-lock.json'];

/** Folder of the TypeScript client as it is published; built once for all tests, until a file of it changes. Nothing may be written there. */
export const CLIENT_FOLDER = await buildOnce(
  'client',
  keyOf(
    PARTS.map((part) => join(CHECKOUT, part)),
    'content',
  ),
  // The folder itself is locked.
  (folder) => writeClientPackage(join(folder, 'package'), null),
).then((folder) => join(folder, 'package'));

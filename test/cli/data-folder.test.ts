import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultDataFolder } from '../../src/data-folder.ts';

test('a checkout keeps its data in itself, an installed package in the folder of the user', () => {
  const installed = '/usr/lib/node_modules/@sextant/cli/';
  assert.equal(defaultDataFolder(), './data');
  assert.equal(defaultDataFolder('/home/me/node_modules_of_mine/sextant/'), './data');
  assert.equal(defaultDataFolder(installed, 'linux'), join(homedir(), '.local/share/sextant'));
  assert.equal(defaultDataFolder(installed, 'darwin'), join(homedir(), 'Library/Application Support/sextant'));
  assert.equal(
    defaultDataFolder('C:\\npm\\node_modules\\@sextant\\cli\\', 'win32'),
    join(homedir(), 'AppData/Local/sextant'),
  );
});

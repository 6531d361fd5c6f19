#!/usr/bin/env node
try {
  await import('../src/main.ts');
} catch (error) {
  // An older Node cannot read the program at all, so that it could say itself what it needs.
  if (error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
  process.stderr.write(`sextant: needs Node 26 or newer; this is ${process.version}\n`);
  process.exitCode = 1;
}

import module from 'node:module';

const NEEDS_NODE = 26;

if (Number.parseInt(process.versions.node, 10) < NEEDS_NODE) {
  process.stderr.write(`sextant: needs Node ${NEEDS_NODE} or newer; this is ${process.version}\n`);
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  const { runCommandLine } = await import('./cli/program.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
}

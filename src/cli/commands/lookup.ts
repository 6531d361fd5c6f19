import type { Command } from 'commander';
import { createJsonOption } from '../json-option.ts';
import { createAllOption, printOptionsOf } from '../print-options.ts';

const HELP_TEXT = `
It recognises ids (CVE, GHSA, CWE, ATT&CK, ATLAS, D3FEND, Sigma rules, AS numbers), CVSS vectors of versions 2 to 4, package URLs,
packages with a version (lodash@4.17.20), CPE names, products with a version (apache log4j 2.14.1), domains, URLs, IP addresses, file
hashes, e-mail addresses and phone numbers with a country code; defanged indicators (hxxp://evil[.]example) are never visited. Other words are
searched for among CVEs.

Several things are answered with a line each; IP addresses, domains, URLs and hashes by what threat lists say of them. In a
list, blank lines and lines that begin with # are skipped, and repetitions are asked once; at most 1,000 things of 2,048 characters.

JSON: one argument, the answer of its operation. A list: {"results": [{"given", "kind", "value", "status", "operation", "input",
"answer", "error"}], "total", "answered", "not_found", "not_recognised", "failed"}; --jsonl prints each result on a line of its own.

Exit status:
  0  each thing was answered
  1  a question failed
  2  something was not recognised, or wrong usage
  3  something is well-formed, but not known here

Examples:
  sextant lookup CVE-2021-44228
  sextant lookup apache log4j 2.14.1
  sextant lookup CVE-2014-0160 lodash@4.17.20 evil[.]example
  cut -f1 ids.tsv | sextant lookup - --jsonl`;

export function addLookupCommand(program: Command): void {
  program
    .command('lookup')
    .description('Look up anything: CVE and other ids, packages, products, domains, addresses, hashes, indicators.')
    .argument('[things...]', 'what to look up; -, or nothing: lines of standard input')
    .option('--jsonl', 'print a JSON document a line, each as soon as it is known')
    .addOption(createAllOption())
    .addOption(createJsonOption())
    .addHelpText('after', HELP_TEXT)
    .action(async (things: string[], options: { jsonl?: boolean }, command: Command) => {
      const jsonLines = options.jsonl === true;
      const printed = printOptionsOf(command);
      if (jsonLines && printed.json) command.error('error: --jsonl and --json exclude each other: choose one.');
      const { runLookup } = await import('../lookup/run-lookup.ts');
      await runLookup(things, { ...printed, jsonLines });
    });
}

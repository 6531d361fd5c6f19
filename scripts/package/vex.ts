import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { withRunnerDeps } from '../../src/cli/with-runner-deps.ts';
import { loadConfig } from '../../src/cli/load-config.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';
import { runOperation } from '../../src/engine/runner.ts';
import { checkDependencies } from '../../src/operations/code/check-dependencies.ts';
import { MAX_PACKAGES_PER_DOCUMENT } from '../../src/operations/code/lib/parse-packages-input.ts';
import { openVexDocument } from '../../src/operations/code/lib/report/vex.ts';

type Answer = z.output<(typeof checkDependencies)['output']>;

interface VexStatement {
  products: object[];
}

interface VexResult {
  /** OpenVEX; null where there is nothing to say. */
  document: object | null;
  /** What makes a release stop: packages with a vulnerability, and packages that could not be checked. */
  problems: string[];
}

/** What is known of vulnerabilities in the packages of an SBOM, as said of `product` (purl), by the catalog of the data folder. */
export async function checkSbom(sbom: object, product: string, now: Date): Promise<VexResult> {
  const input = parseInput(checkDependencies, {
    sbom: JSON.stringify(sbom),
    limit: MAX_PACKAGES_PER_DOCUMENT,
  });
  const answer = (await withRunnerDeps(loadConfig(), (deps) =>
    runOperation(checkDependencies, input, deps, { disconnectSignal: () => new AbortController().signal }),
  )) as Answer;
  const { statements, ...document } = openVexDocument(answer, { id: `urn:uuid:${randomUUID()}`, now }) as {
    statements: VexStatement[];
  };
  const aboutProduct = statements.map((statement) => ({
    ...statement,
    products: [{ '@id': product, subcomponents: statement.products }],
  }));
  return {
    // A document has at least one statement.
    document: aboutProduct.length === 0 ? null : { ...document, statements: aboutProduct },
    problems: [
      ...answer.findings.map(
        ({ package: name, version, cve_id, aliases }) => `${name} ${version}: ${cve_id ?? aliases[0]}`,
      ),
      ...answer.verdict.gaps,
    ],
  };
}

import type { z } from 'zod';
import { packageLabel } from '../../../../analysis/packages/package-ref.ts';
import { VERSION } from '../../../../version.ts';
import type { checkDependencies } from '../../check-dependencies.ts';
import type { DependencyFinding } from '../dependency-finding.ts';
import type { Suppression } from './problem.ts';

type DependencyAnswer = Pick<z.output<(typeof checkDependencies)['output']>, 'possible' | 'undecided' | 'denied'> & {
  findings: (DependencyFinding & { suppression?: Suppression | null })[];
};
type PackageRow = { readonly package: string; readonly version: string; readonly ecosystem: string | null };

interface Statement {
  id: string;
  aliases: readonly string[];
  product: PackageRow;
  status: 'affected' | 'not_affected' | 'under_investigation';
  /** Why, or what to do. */
  text: string;
  score: number | null;
  severity: string | null;
}

export interface VexOptions {
  /** `urn:uuid:...` */
  id: string;
  now: Date;
}

/** What a check of packages found as an OpenVEX 0.2.0 document: a draft for the publisher of the software, who decides. */
export function openVexDocument(answer: DependencyAnswer, { id, now }: VexOptions): object {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': id,
    author: 'Unreviewed result of a version check',
    timestamp: now.toISOString(),
    version: 1,
    tooling: `sextant ${VERSION}`,
    statements: statementsOf(answer).map(({ id: name, aliases, product, status, text }) => ({
      vulnerability: { name, ...(aliases.length > 0 && { aliases }) },
      products: [{ '@id': purlOf(product) }],
      status,
      ...(status === 'affected' && { action_statement: text }),
      ...(status === 'not_affected' && { impact_statement: text }),
      ...(status === 'under_investigation' && { status_notes: text }),
    })),
  };
}

/** Of CycloneDX. */
const MAX_VERSION_LENGTH = 1024;
const CYCLONEDX_STATES = { affected: 'exploitable', not_affected: 'not_affected', under_investigation: 'in_triage' };

/**
 * The same as a CycloneDX 1.6 document: what is said of each vulnerability, and the packages that it is about (VEX), or those and all other `packages`
 * (vulnerability disclosure report).
 */
export function cycloneDxVex(
  answer: DependencyAnswer,
  { id, now }: VexOptions,
  packages: readonly PackageRow[] = [],
): object {
  const statements = statementsOf(answer);
  const products = [...packages, ...statements.map(({ product }) => product)];
  const components = new Map(products.map((product) => [purlOf(product), product]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: id,
    version: 1,
    metadata: {
      timestamp: now.toISOString(),
      tools: { components: [{ type: 'application', name: 'sextant', version: VERSION }] },
    },
    components: [...components].map(([purl, { package: name, version }]) => ({
      type: 'library',
      'bom-ref': purl,
      name,
      version: version.slice(0, MAX_VERSION_LENGTH),
      purl,
    })),
    vulnerabilities: statements.map(({ id: name, product, status, text, score, severity }) => ({
      id: name,
      ...(severity !== null && { ratings: [{ ...(score !== null && { score }), severity: severity.toLowerCase() }] }),
      analysis: { state: CYCLONEDX_STATES[status], detail: text },
      affects: [{ ref: purlOf(product) }],
    })),
  };
}

function statementsOf({ findings, possible, undecided, denied }: DependencyAnswer): Statement[] {
  const unscored = { aliases: [], score: null, severity: null };
  const statements: Statement[] = [
    ...findings.map((finding) => {
      const { cve_id, aliases, cvss_v3, severity, remediation, suppression = null } = finding;
      const id = cve_id ?? aliases[0] ?? 'unknown';
      const common = {
        id,
        aliases: aliases.filter((alias) => alias !== id),
        product: finding,
        score: cvss_v3,
        severity,
      };
      return suppression === null
        ? { ...common, status: 'affected' as const, text: remediation }
        : {
            ...common,
            status: 'under_investigation' as const,
            text: `Suppressed by the project: ${suppression.reason}`,
          };
    }),
    ...[...possible, ...undecided].map((row) => ({
      ...unscored,
      id: row.cve_id,
      product: row,
      status: 'under_investigation' as const,
      text: row.reason,
    })),
    ...denied.map((row) => ({
      ...unscored,
      id: row.cve_id,
      product: row,
      status: 'not_affected' as const,
      text: row.reason,
    })),
  ];
  // A package that several documents list is one product; it is affected if one of them does not suppress that.
  const byProduct = new Map<string, Statement>();
  for (const statement of statements) {
    const key = `${statement.id} ${purlOf(statement.product)}`;
    if (!byProduct.has(key) || statement.status === 'affected') byProduct.set(key, statement);
  }
  return [...byProduct.values()];
}

/** Both formats identify a product by its package URL; one without an ecosystem is of the type `generic`. */
function purlOf({ package: name, version, ecosystem }: PackageRow): string {
  const [nameText, versionText] = [name.toWellFormed(), version.toWellFormed()];
  const label = packageLabel({ name: nameText, version: versionText, ecosystem });
  return label.startsWith('pkg:')
    ? label
    : `pkg:generic/${encodeURIComponent(nameText)}@${encodeURIComponent(versionText)}`;
}

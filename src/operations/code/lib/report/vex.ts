import type { z } from 'zod';
import { packageLabel } from '../../../../analysis/packages/package-ref.ts';
import { VERSION } from '../../../../version.ts';
import type { checkDependencies } from '../../check-dependencies.ts';

type DependencyAnswer = Pick<z.output<(typeof checkDependencies)['output']>, 'findings' | 'undecided' | 'denied'>;
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

/** What a check of packages found as an OpenVEX 0.2.0 document: a draft that whoever ships the software decides about. */
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

const CYCLONEDX_STATES = { affected: 'exploitable', not_affected: 'not_affected', under_investigation: 'in_triage' };

/** The same as a CycloneDX 1.6 document (VEX): the packages with findings, and what is said of each vulnerability. */
export function cycloneDxVex(answer: DependencyAnswer, { id, now }: VexOptions): object {
  const statements = statementsOf(answer);
  const components = new Map(statements.map(({ product }) => [purlOf(product), product]));
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
      version,
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

function statementsOf({ findings, undecided, denied }: DependencyAnswer): Statement[] {
  const unscored = { aliases: [], score: null, severity: null };
  return [
    ...findings.map((finding) => {
      const { cve_id, aliases, cvss_v3, severity, remediation } = finding;
      const id = cve_id ?? aliases[0] ?? 'unknown';
      const others = aliases.filter((alias) => alias !== id);
      const common = { id, aliases: others, product: finding, status: 'affected' as const };
      return { ...common, text: remediation, score: cvss_v3, severity };
    }),
    ...undecided.map((row) => ({
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
}

/** Both formats identify a product by its package URL; one without an ecosystem is of the type `generic`. */
function purlOf({ package: name, version, ecosystem }: PackageRow): string {
  const label = packageLabel({ name, version, ecosystem });
  return label.startsWith('pkg:') ? label : `pkg:generic/${encodeURIComponent(name)}@${encodeURIComponent(version)}`;
}

import { z } from 'zod';
import { purlIdentity, versionOfPurl } from '../../analysis/affected/subject.ts';
import type { VexStatement } from '../../analysis/affected/vex-statement.ts';
import { truncateAtWord } from '../../analysis/display-text.ts';
import { parseCveId } from '../../analysis/cve/cve-id.ts';
import { createAffectedRange } from '../../analysis/packages/affected-range.ts';
import { CleanedText, parseUtcTime } from '../fields.ts';

const MAX_NOTE_CHARACTERS = 200;
const MAX_NAME_CHARACTERS = 200;
const Name = CleanedText.transform((text) => text.slice(0, MAX_NAME_CHARACTERS));

const Component = z.object({
  '@id': z.string().max(2000).optional(),
  identifiers: z.object({ purl: z.string() }).partial().optional(),
});
const Statement = z.object({
  vulnerability: z.object({ '@id': z.string(), name: z.string(), aliases: z.array(z.string()) }).partial(),
  products: z.array(Component).default([]),
  status: z.enum(['not_affected', 'affected', 'fixed', 'under_investigation']),
  justification: Name.nullish(),
  impact_statement: CleanedText.nullish(),
  timestamp: z.string().nullish(),
  last_updated: z.string().nullish(),
});

type Times = { readonly [name in 'timestamp' | 'last_updated']?: string | null | undefined };

/** The fields that are read of an OpenVEX 0.2.0 document. */
export const OpenVexDocument = z.object({
  '@id': Name,
  author: Name,
  timestamp: z.string().nullish(),
  last_updated: z.string().nullish(),
  statements: z.array(z.unknown()),
});

/**
 * What a document says about the CVEs that it names, one statement for each CVE, product and reason with all its versions. Statements
 * without a CVE id, or on products without a package URL, are left out.
 */
export function statementsOf(document: z.infer<typeof OpenVexDocument>, skip: (why: string) => void): VexStatement[] {
  const grouped = new Map<string, VexStatement>();
  const documentDay = timeOf(document)?.slice(0, 10) ?? null;
  for (const raw of document.statements) {
    const read = Statement.safeParse(raw);
    if (!read.success) {
      skip(read.error.issues[0]?.message ?? 'invalid');
      continue;
    }
    const { vulnerability, products, status, justification, impact_statement } = read.data;
    const said_on = timeOf(read.data)?.slice(0, 10) ?? documentDay;
    const cve_id = cveIdOf(vulnerability);
    if (cve_id === null) continue;
    for (const product of products) {
      const text = product['@id'] ?? product.identifiers?.purl;
      if (text === undefined || !text.startsWith('pkg:')) continue;
      const statement: VexStatement = {
        cve_id,
        source: 'vex',
        document: document['@id'],
        author: document.author,
        status,
        justification: justification ?? null,
        note: impact_statement ? truncateAtWord(impact_statement, MAX_NOTE_CHARACTERS) : null,
        purl: purlIdentity(text),
        vendor: null,
        product: null,
        affected: null,
        said_on,
      };
      addVersion(grouped, statement, versionOfPurl(text));
    }
  }
  return [...grouped.values()];
}

/** When a document or statement was last changed, else made, in UTC; null: it does not say. */
export function timeOf({ last_updated, timestamp }: Times): string | null {
  return parseUtcTime(last_updated ?? timestamp);
}

/** Statements that differ in their version alone become one, of the newest day. Without a version it is about all. */
function addVersion(grouped: Map<string, VexStatement>, statement: VexStatement, version: string | null): void {
  const { cve_id, purl, status, justification, note } = statement;
  const key = JSON.stringify([cve_id, purl, status, justification, note, version === null]);
  const known = grouped.get(key) ?? statement;
  grouped.set(key, known);
  if ((statement.said_on ?? '') > (known.said_on ?? '')) known.said_on = statement.said_on;
  if (version === null) return;
  known.affected ??= { ...createAffectedRange({}), versions: [] };
  if (!known.affected.versions.includes(version)) known.affected.versions.push(version);
}

function cveIdOf({ name, '@id': id, aliases = [] }: z.infer<typeof Statement>['vulnerability']): string | null {
  for (const text of [name, ...aliases, id?.split('/').at(-1)]) {
    const cve = text === undefined ? null : parseCveId(text);
    if (cve !== null) return cve;
  }
  return null;
}

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CWE_ID } from './cve-fields.ts';
import { FeedFormatError } from './feed.ts';
import { canonicalCveId, firstIssue } from './fields.ts';
import { SEVERITIES } from '../analysis/severity.ts';

const CveId = z.string().refine((text) => canonicalCveId(text) === text, 'not a canonical CVE id');
const CweId = z.string().regex(CWE_ID, 'not a CWE id');
const Day = z.iso.date();
const Time = z.union([Day, z.iso.datetime()]);
const Fraction = z.number().min(0).max(1);
const Version = z.string().nullable();

const Facts = z.object({
  cve_id: CveId,
  source: z.literal('starter'),
  status: z.string(),
  rejected: z.boolean(),
  published: Time.nullable(),
  modified: Time.nullable(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  assigner: z.string().nullable(),
  tags: z.array(z.string()),
  metrics: z.array(
    z.object({
      version: z.enum(['2.0', '3.0', '3.1', '4.0']),
      vector: z.string(),
      base_score: z.number().min(0).max(10).nullable(),
      base_severity: z.enum(SEVERITIES).nullable(),
      scorer: z.string(),
      primary: z.boolean(),
    }),
  ),
  ssvc: z
    .object({
      exploitation: z.enum(['none', 'poc', 'active']),
      automatable: z.enum(['no', 'yes']),
      technical_impact: z.enum(['partial', 'total']),
      source: z.string(),
      at: Time.nullable(),
    })
    .nullable()
    .default(null),
  weaknesses: z.array(z.object({ cwe_id: CweId, source: z.string() })),
  references: z.array(z.object({ url: z.url(), tags: z.array(z.string()), source: z.string().nullable() })),
  products: z.array(
    z.object({
      cpe: z.string().nullable(),
      vendor: z.string().nullable(),
      product: z.string().nullable(),
      version: Version,
      ecosystem: z.string().nullable(),
      vulnerable: z.boolean(),
      start_including: Version,
      start_excluding: Version,
      end_including: Version,
      end_excluding: Version,
    }),
  ),
  configurations: z.array(
    z.object({
      operator: z.enum(['AND', 'OR']),
      negate: z.boolean(),
      nodes: z.array(
        z.object({ operator: z.enum(['AND', 'OR']), negate: z.boolean(), products: z.array(z.int().nonnegative()) }),
      ),
    }),
  ),
});

const Kev = z.object({
  cve_id: CveId,
  vendor_project: z.string(),
  product: z.string(),
  vulnerability_name: z.string(),
  date_added: Day,
  due_date: Day.nullable(),
  required_action: z.string(),
  short_description: z.string(),
  known_ransomware_use: z.boolean(),
  notes: z.string().nullable(),
  cwes: z.array(CweId),
});

const Exploit = z.object({
  edb_id: z.int().positive(),
  cve_ids: z.array(CveId),
  title: z.string(),
  date_published: Day.nullable(),
  author: z.string().nullable(),
  type: z.string(),
  platform: z.string(),
  verified: z.boolean(),
});

const Cwe = z.object({
  cwe_id: CweId,
  name: z.string(),
  abstraction: z.string(),
  status: z.string(),
  description: z.string(),
  extended_description: z.string().nullable(),
  mitigations: z.array(
    z.object({
      phase: z.string().nullable(),
      strategy: z.string().nullable(),
      description: z.string(),
      effectiveness: z.string().nullable(),
    }),
  ),
  examples: z.array(z.object({ reference: z.string(), description: z.string(), link: z.url().nullable() })),
  parents: z.array(CweId),
  in_view_1000: z.boolean(),
});

const StarterFile = z.object({
  /** The day of its facts. */
  as_of: Time,
  cves: z.array(Facts),
  kev: z.array(Kev),
  epss: z.object({
    model_version: z.string(),
    score_date: Time,
    scores: z.array(
      z.tuple([CveId, Fraction, Fraction]).transform(([cve_id, score, percentile]) => ({ cve_id, score, percentile })),
    ),
  }),
  exploits: z.array(Exploit),
  cwes: z.array(Cwe),
});

/** The small catalog that is part of the program: with it a first start without a network can give answers. */
type StarterCatalog = z.output<typeof StarterFile>;

/** Reads the starter catalog and checks all of it. Throws `FeedFormatError` with the first issue. */
export async function readStarterCatalog(path: string): Promise<StarterCatalog> {
  const text = await readFile(path, 'utf8');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new FeedFormatError('the starter catalog is not JSON');
  }
  const starter = StarterFile.safeParse(document);
  if (!starter.success) throw new FeedFormatError(`the starter catalog is malformed: ${firstIssue(starter.error)}`);
  return starter.data;
}

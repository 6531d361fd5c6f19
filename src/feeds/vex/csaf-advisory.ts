import { z } from 'zod';
import type { VexStatement, VexStatus, VexVersions } from '../../analysis/affected/vex-statement.ts';
import { parseCveId } from '../../analysis/cve/cve-id.ts';
import { createAffectedRange } from '../../analysis/packages/affected-range.ts';
import { CleanedText, parseUtcTime } from '../fields.ts';
import { parseVersionComparisons } from '../version-span.ts';

const MAX_DEPTH = 12;
const MAX_NAME_CHARACTERS = 200;
const Name = CleanedText.transform((text) => text.slice(0, MAX_NAME_CHARACTERS));

interface Branch {
  category: string;
  name: string;
  product?: { product_id: string } | undefined;
  branches?: Branch[] | undefined;
}
const Branch: z.ZodType<Branch> = z.object({
  category: z.string(),
  name: Name,
  product: z.object({ product_id: z.string() }).optional(),
  get branches(): z.ZodOptional<z.ZodArray<typeof Branch>> {
    return z.array(Branch).optional();
  },
});

/** The fields that are read of a CSAF 2.0 document. */
export const CsafDocument = z.object({
  document: z.object({
    category: z.string(),
    publisher: z.object({ name: Name }),
    tracking: z.object({ id: Name, current_release_date: z.string().nullish() }),
  }),
  product_tree: z.object({ branches: z.array(Branch).optional() }).optional(),
  vulnerabilities: z
    .array(
      z.object({
        cve: z.string().nullish(),
        product_status: z.record(z.string(), z.array(z.string())).optional(),
        flags: z.array(z.object({ label: Name, product_ids: z.array(z.string()).optional() })).optional(),
      }),
    )
    .optional(),
});

/** Status groups of CSAF 2.0 (section 3.2.3.9) that say whether a product is affected. */
const STATUSES: readonly [group: string, status: VexStatus][] = [
  ['known_not_affected', 'not_affected'],
  ['fixed', 'fixed'],
  ['known_affected', 'affected'],
  ['under_investigation', 'under_investigation'],
];

interface NamedProduct {
  vendor: string;
  product: string;
  affected: VexVersions | null;
}

/** What a document says about each CVE in each product, with all versions of one status together. */
export function statementsOf({
  document,
  product_tree,
  vulnerabilities,
}: z.infer<typeof CsafDocument>): VexStatement[] {
  const products = new Map<string, NamedProduct>();
  const said_on = parseUtcTime(document.tracking.current_release_date)?.slice(0, 10) ?? null;
  for (const branch of product_tree?.branches ?? []) collectProducts(branch, [], products);
  return (vulnerabilities ?? []).flatMap(({ cve, product_status = {}, flags = [] }) => {
    const cve_id = cve == null ? null : parseCveId(cve);
    if (cve_id === null) return [];
    return STATUSES.flatMap(([group, status]) => {
      const ids = product_status[group] ?? [];
      const grouped = new Map<string, VexStatement>();
      for (const id of ids) {
        const named = products.get(id);
        if (named === undefined) continue;
        const justification = flags.find(({ product_ids }) => product_ids?.includes(id))?.label ?? null;
        const key = JSON.stringify([named, justification]);
        grouped.set(key, {
          cve_id,
          source: 'csaf',
          document: document.tracking.id,
          author: document.publisher.name,
          status,
          justification,
          note: null,
          purl: null,
          ...named,
          said_on,
        });
      }
      return [...grouped.values()];
    });
  });
}

/** A product is a path of branches: vendor, product name, version or range of versions. Others cannot be compared. */
function collectProducts(branch: Branch, path: readonly Branch[], products: Map<string, NamedProduct>): void {
  if (path.length > MAX_DEPTH) return;
  const whole = [...path, branch];
  const nameOf = (category: string): string | undefined => whole.find((part) => part.category === category)?.name;
  const [vendor, product] = [nameOf('vendor'), nameOf('product_name')];
  if (branch.product !== undefined && vendor !== undefined && product !== undefined) {
    const affected = versionsOf(branch);
    if (affected !== undefined) products.set(branch.product.product_id, { vendor, product, affected });
  }
  for (const inner of branch.branches ?? []) collectProducts(inner, whole, products);
}

/** Null: all versions. Undefined: it is not said which. `vers:all/<V2.4.0`, `>=1.2|<=1.9` and `<V2.4` are ranges. */
function versionsOf({ category, name }: Branch): VexVersions | null | undefined {
  if (category === 'product_version') return { ...createAffectedRange({}), versions: [withoutLetter(name)] };
  if (category !== 'product_version_range') return undefined;
  const text = name.replace(/^vers:[a-z]+\//i, '');
  if (text === '*') return null;
  const ends = parseVersionComparisons(text.split('|').map(withoutLetter).join(', '));
  if (ends === null || ends.version !== null) return { ...createAffectedRange({}), versions: [text] };
  const { version: _, ...range } = ends;
  return { ...createAffectedRange(range), versions: [] };
}

/** `<V2.4` is before `2.4`. */
function withoutLetter(text: string): string {
  return text.trim().replace(/^([<>=]*)\s*v\.?(?=\d)/i, '$1');
}

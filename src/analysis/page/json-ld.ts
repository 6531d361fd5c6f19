/** What structured data says about a page (schema.org, in JSON-LD). */
export interface JsonLdFacts {
  /** In the order met, each once, without the address of the vocabulary. */
  types: string[];
  /** Of the first organisation or site that has one. */
  name: string | null;
  logo: string | null;
}

const MAX_NODES = 20_000;
const MAX_TYPES = 100;
const NAMED_ENTITY_TYPES = /^(?:WebSite|Organization|Corporation|NewsMediaOrganization|LocalBusiness|Brand)$/;

/** Reads blocks of JSON-LD that parse. Traverses with an explicit queue, so that nesting cannot overflow the stack. */
export function readJsonLd(blocks: readonly unknown[]): JsonLdFacts {
  const facts: JsonLdFacts = { types: [], name: null, logo: null };
  const types = new Set<string>();
  const waiting: unknown[] = [...blocks];
  for (let at = 0; at < waiting.length && at < MAX_NODES; at++) {
    const node = waiting[at];
    if (typeof node !== 'object' || node === null) continue;
    for (const value of Object.values(node)) {
      if (waiting.length < MAX_NODES && typeof value === 'object' && value !== null) waiting.push(value);
    }
    if (Array.isArray(node)) continue;
    const entity = node as Record<string, unknown>;
    const own = [entity['@type']].flat().filter((type) => typeof type === 'string');
    for (const type of own) if (types.size < MAX_TYPES) types.add(schemaTypeName(type));
    if (!own.some((type) => NAMED_ENTITY_TYPES.test(schemaTypeName(type)))) continue;
    if (typeof entity['name'] === 'string') facts.name ??= entity['name'];
    facts.logo ??= logoUrl(entity['logo']);
  }
  return { ...facts, types: [...types].filter((type) => type !== '') };
}

/** `Product` of `https://schema.org/Product` and of `schema:Product`. */
export function schemaTypeName(type: string): string {
  return type.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '');
}

/** A logo is an address, an image object, or a list of either. */
function logoUrl(logo: unknown): string | null {
  const [first] = [logo].flat();
  if (typeof first === 'string') return first;
  const { url, contentUrl } = (first ?? {}) as Record<string, unknown>;
  return [url, contentUrl].find((value) => typeof value === 'string') ?? null;
}

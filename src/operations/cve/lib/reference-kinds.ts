interface TaggedReference {
  readonly url: string;
  readonly tags: readonly string[];
}

/** Kinds in the order of use to one who has to act; a reference is of the first kind that one of its tags names. */
const KINDS: readonly (readonly [tag: string, heading: string])[] = [
  ['patch', 'Fixes'],
  ['vendor advisory', 'Advisories of the maker'],
  ['release notes', 'Release notes'],
  ['mitigation', 'Mitigations'],
  ['exploit', 'Exploits'],
  ['third party advisory', 'Advisories of others'],
  ['us government resource', 'Authorities'],
  ['mailing list', 'Mailing lists'],
  ['technical description', 'Descriptions'],
  ['issue tracking', 'Issues'],
];
const OTHER = 'Others';

/** References by kind, the most useful kind first; in each kind in the given order. */
export function groupReferences<Reference extends TaggedReference>(
  references: readonly Reference[],
): [kind: string, references: Reference[]][] {
  const byKind = Map.groupBy(references, kindOf);
  return [...KINDS.map(([, heading]) => heading), OTHER].flatMap((kind): [string, Reference[]][] => {
    const found = byKind.get(kind);
    return found === undefined ? [] : [[kind, found]];
  });
}

/** `Vendor Advisory` in the NVD is `vendor-advisory` in CVE records. */
function kindOf({ tags }: TaggedReference): string {
  const named = tags.map((tag) => tag.toLowerCase().replaceAll('-', ' '));
  return KINDS.find(([tag]) => named.includes(tag))?.[1] ?? OTHER;
}

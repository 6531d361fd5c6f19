const NAMESPACE = 'http://d3fend.mitre.org/ontologies/d3fend.owl#';
const NAME = /^[\w.-]{1,128}$/;
/** The prefix of a name: `d3f:`, the namespace (with http or https) or the address of a technique's page. */
const PREFIX = /^(?:d3f:|https?:\/\/d3fend\.mitre\.org\/(?:ontologies\/d3fend\.owl#|technique\/d3f:))/i;

/** `FileHashing` from `d3f:FileHashing`, from its URI or from the address of its page; null for other texts. */
export function parseOntologyName(id: string): string | null {
  const name = id.replace(PREFIX, '').replace(/\/$/, '');
  return PREFIX.test(id) && NAME.test(name) ? name : null;
}

export function ontologyUri(name: string): string {
  return `${NAMESPACE}${name}`;
}

/**
 * A key that is equal for all spellings of a defense's name: `d3f:FileHashing`, `FileHashing`, `File Hashing` and `file-hashing`
 * become `filehashing`; `D3-FH` becomes `d3fh`.
 */
export function defenseNameKey(name: string): string {
  return (parseOntologyName(name) ?? name).toLowerCase().replace(/[^a-z0-9]/g, '');
}

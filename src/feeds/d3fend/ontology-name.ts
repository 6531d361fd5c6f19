const NAMESPACE = 'http://d3fend.mitre.org/ontologies/d3fend.owl#';
const NAME = /^[\w.-]{1,128}$/;
/** The prefix, the URI (whatever its scheme: people copy it from where it was shortened) and the page of a technique. */
const PREFIX = /^(?:d3f:|https?:\/\/d3fend\.mitre\.org\/(?:ontologies\/d3fend\.owl#|technique\/d3f:))/i;

/** `FileHashing` of `d3f:FileHashing`, of the whole URI or of its page; null for what is not D3FEND's. */
export function parseOntologyName(id: string): string | null {
  const name = id.replace(PREFIX, '').replace(/\/$/, '');
  return PREFIX.test(id) && NAME.test(name) ? name : null;
}

export function ontologyUri(name: string): string {
  return `${NAMESPACE}${name}`;
}

/**
 * What the names of one defense have in common: `d3f:FileHashing`, `FileHashing`, `File Hashing` and `file-hashing` are
 * `filehashing`; `D3-FH` is `d3fh`.
 */
export function defenseNameKey(name: string): string {
  return (parseOntologyName(name) ?? name).toLowerCase().replace(/[^a-z0-9]/g, '');
}

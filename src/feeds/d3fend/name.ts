const NAMESPACE = 'http://d3fend.mitre.org/ontologies/d3fend.owl#';
const NAME = /^[\w.-]{1,128}$/;

/** `FileHashing` of `d3f:FileHashing` or of the whole URI; null for what is not D3FEND's. */
export function ontologyName(id: string): string | null {
  const prefix = ['d3f:', NAMESPACE].find((start) => id.startsWith(start));
  const name = prefix === undefined ? '' : id.slice(prefix.length);
  return NAME.test(name) ? name : null;
}

export function ontologyUri(name: string): string {
  return `${NAMESPACE}${name}`;
}

/**
 * What the names of one defense have in common: `d3f:FileHashing`, `FileHashing`, `File Hashing` and `file-hashing` are
 * `filehashing`; `D3-FH` is `d3fh`.
 */
export function nameKey(name: string): string {
  return (ontologyName(name) ?? name).toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A part of the name of a repository (OCI Distribution specification, "Pulling manifests"). */
const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const REPOSITORY = new RegExp(`^/${PART}(?:/${PART})*$`);

/** Whether an address names a repository in an OCI registry: `oci://registry.example.com/owner/name`. */
export function isOciAddress(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'oci:' && url.host !== '' && REPOSITORY.test(url.pathname) && url.search + url.hash === '';
}

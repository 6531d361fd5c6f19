/** Keys by which names of vendors and products are compared. */

/** Words in vendors' CPE names that do not distinguish vendors. */
const VENDOR_SUFFIX =
  /(?:project|group|foundation|software|team|inc|org|com|ltd|corporation|labs|development|plugin|networks|technologies)$/;
const MIN_VENDOR_PREFIX = 4;
/** What a vendor's name may have more than another's. */
const MAX_VENDOR_REST = 10;
/** Such a rest makes another vendor: `redis.js` writes a client of Redis. */
const OTHER_VENDOR_REST = /^(?:js|php|py|rb|net|ui|cms|security|plugins?|http)/;

/** Letters and digits alone, lower case: `jQuery-UI` and `jquery_ui` are one. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9+]/g, '');
}

/** Whether the names of two vendors suggest one vendor: equal without the words that do not distinguish, or one begins with the other. */
export function areVendorsRelated(a: string, b: string): boolean {
  const [shorter, longer] = [vendorKey(a), vendorKey(b)].sort((left, right) => left.length - right.length) as [
    string,
    string,
  ];
  if (shorter === longer) return shorter !== '';
  const rest = longer.slice(shorter.length);
  const isNear = rest.length <= MAX_VENDOR_REST && !OTHER_VENDOR_REST.test(rest);
  return shorter.length >= MIN_VENDOR_PREFIX && longer.startsWith(shorter) && isNear;
}

/** A vendor's name without words that do not distinguish vendors: `phpbb` of `phpbb_group`. */
export function vendorKey(vendor: string): string {
  const key = nameKey(vendor.replace(/^the_/, ''));
  let bare = key;
  for (let shorter = bare.replace(VENDOR_SUFFIX, ''); shorter !== bare; shorter = bare.replace(VENDOR_SUFFIX, '')) {
    if (shorter === '') return bare;
    bare = shorter;
  }
  return bare;
}

/** The name of a package in its URL: `log4j-core` of `pkg:maven/org.apache.logging.log4j/log4j-core`. */
export function purlName(purl: string): string {
  return purl.slice(purl.lastIndexOf('/') + 1);
}

/** The name of a package as advisories write it: `org.apache.tomcat:tomcat`, `github.com/grafana/grafana`, `@angular/core`. */
export function purlPackage(purl: string): string {
  const path = purl.slice(purl.indexOf('/') + 1).replaceAll('%40', '@');
  return purlType(purl) === 'maven' ? path.replace('/', ':') : path;
}

/** `npm` of `pkg:npm/express`. */
export function purlType(purl: string): string {
  return purl.slice('pkg:'.length).split('/', 1)[0]!;
}

/** Who keeps the package, by its URL: `wildfly` of `pkg:github/wildfly/wildfly`; null where registries have no such owner. */
export function purlOwner(purl: string): string | null {
  const [type, ...path] = purl.slice('pkg:'.length).split('/');
  if (type === 'golang' && path[0] === 'github.com') return path[1] ?? null;
  return ['github', 'gitlab', 'bitbucket', 'composer'].includes(type ?? '') && path.length === 2 ? path[0]! : null;
}

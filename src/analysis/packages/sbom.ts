import {
  DocumentFault,
  type Fields,
  jsonObject,
  type LockedPackage,
  listOf,
  locked,
  textOf,
} from './lockfiles/locked-package.ts';
import { yamlObject } from './lockfiles/pnpm.ts';
import { readPurl } from './package-ref.ts';
import { xmlDocument, type XmlElement } from './xml.ts';

/** What a document says of one component, in the words that all formats share. */
interface Component {
  name: string;
  version: string;
  purl: string;
  cpe: string;
}

/** Packages of a CycloneDX (JSON, XML), an SPDX 3 (JSON-LD) or an SPDX 2 (JSON, YAML, RDF, tag-value) document. Throws `DocumentFault`. */
export function readSbomText(text: string): LockedPackage[] {
  const begin = text.slice(0, 2000).trimStart();
  if (begin.startsWith('{')) return readSbomObject(jsonObject(text));
  if (begin.startsWith('<')) return ofXml(text);
  if (/^SPDXVersion:/m.test(text)) return ofTagValues(text);
  if (/^["']?spdxVersion["']?:/m.test(text)) return readSbomObject(yamlObject(text));
  throw new DocumentFault(NEITHER);
}

/** The same of a document that is parsed already. */
export function readSbomObject(root: Fields): LockedPackage[] {
  if (root['bomFormat'] === 'CycloneDX' || Array.isArray(root['components'])) return packagesOf(cyclonedx(root));
  if (root['spdxVersion'] !== undefined || root['SPDXID'] !== undefined) return packagesOf(spdx(root));
  if (Array.isArray(root['@graph'])) return packagesOf(spdx3(listOf(root['@graph'])));
  throw new DocumentFault(NEITHER);
}

const NEITHER = 'it is neither a CycloneDX nor an SPDX document';

/** SPDX 3 in JSON-LD: packages are elements of one graph. */
function spdx3(elements: readonly Fields[]): Component[] {
  return elements
    .filter(({ type }) => type === 'software_Package')
    .map((element) => {
      const identifier = (kind: string): string =>
        textOf(
          listOf(element['externalIdentifier']).find(({ externalIdentifierType }) => externalIdentifierType === kind)?.[
            'identifier'
          ],
        );
      return {
        name: textOf(element['name']),
        version: textOf(element['software_packageVersion']),
        purl: textOf(element['software_packageUrl']) || identifier('packageURL') || identifier('packageUrl'),
        cpe: identifier('cpe23') || identifier('cpe22'),
      };
    });
}

function packagesOf(components: readonly Component[]): LockedPackage[] {
  return components.map(({ name, version, purl, cpe }) => {
    const url = purl === '' ? null : readPurl(purl);
    const isUrl = url !== null && url.name !== purl;
    const own = { name: url?.ecosystem == null ? name || (isUrl ? url.name : '') : url.name, version };
    if (own.version === '' && isUrl) own.version = url.version;
    // A component that is told by its CPE alone is named by it.
    if (own.version === '' && !isUrl && cpe !== '') own.name = cpe;
    const ids = { ...(isUrl ? { purl } : {}), ...(cpe === '' ? {} : { cpe }) };
    return locked({ ...own, ecosystem: url?.ecosystem ?? null, ...ids });
  });
}

/** Components hold components; walked without recursion. Their `dependencies`, which may go in circles, are not needed. */
function cyclonedx(root: Fields): Component[] {
  const found: Component[] = [];
  const lists = [listOf(root['components'])];
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    for (const component of list) {
      if (component['components'] !== undefined) lists.push(listOf(component['components']));
      const { name, group, version, purl, cpe } = component;
      found.push({ name: joined(group, name), version: textOf(version), purl: textOf(purl), cpe: textOf(cpe) });
    }
  }
  return found;
}

function joined(group: unknown, name: unknown): string {
  return textOf(group) === '' ? textOf(name) : `${textOf(group)}/${textOf(name)}`;
}

function spdx(root: Fields): Component[] {
  return listOf(root['packages']).map((entry) => {
    const references = listOf(entry['externalRefs']).map((reference) => ({
      type: textOf(reference['referenceType']),
      locator: textOf(reference['referenceLocator']),
    }));
    return fromReferences(textOf(entry['name']), textOf(entry['versionInfo']), references);
  });
}

function fromReferences(
  name: string,
  version: string,
  references: readonly { type: string; locator: string }[],
): Component {
  const locator = (kind: RegExp): string => references.find(({ type }) => kind.test(type))?.locator ?? '';
  return { name, version, purl: locator(/(?:^|\/)purl$/), cpe: locator(/(?:^|\/)cpe2[23]Type$/) };
}

function ofXml(text: string): LockedPackage[] {
  const [root] = xmlDocument(text).filter(({ name }) => name === 'bom' || name === 'RDF');
  if (root === undefined) throw new DocumentFault(NEITHER);
  const elements = allBelow(root);
  if (root.name === 'bom') {
    return packagesOf(
      elements
        .filter(({ name }) => name === 'component')
        .map((element) => ({
          name: joined(element.text('group'), element.text('name')),
          version: element.text('version'),
          purl: element.text('purl'),
          cpe: element.text('cpe'),
        })),
    );
  }
  return packagesOf(elements.filter(({ name }) => name === 'Package').map(ofRdf));
}

function ofRdf(element: XmlElement): Component {
  const references = element.children
    .filter(({ name }) => name === 'externalRef')
    .flatMap(({ children }) => children)
    .map((reference) => ({
      type: reference.child('referenceType')?.attributes['rdf:resource'] ?? '',
      locator: reference.text('referenceLocator'),
    }));
  return fromReferences(element.text('name'), element.text('versionInfo'), references);
}

function allBelow(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    for (const child of element.children) {
      found.push(child);
      waiting.push(child);
    }
  }
  return found;
}

/** `Tag: value`, one a line; a package begins with its name. */
function ofTagValues(text: string): LockedPackage[] {
  const packages: { name: string; version: string; references: { type: string; locator: string }[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, tag, value] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
    const current = packages.at(-1);
    if (tag === 'PackageName') packages.push({ name: value!.trim(), version: '', references: [] });
    else if (tag === 'PackageVersion' && current !== undefined) current.version = value!.trim();
    else if (tag === 'ExternalRef') {
      const [, type = '', locator = ''] = value!.trim().split(/\s+/);
      current?.references.push({ type, locator });
    }
  }
  return packagesOf(packages.map(({ name, version, references }) => fromReferences(name, version, references)));
}

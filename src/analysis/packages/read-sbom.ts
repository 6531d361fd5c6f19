import { isJsonObject } from '../bounded-json.ts';
import {
  DocumentError,
  type JsonObject,
  parseJsonObject,
  type LockedPackage,
  objectList,
  createLockedPackage,
  stringOrEmpty,
} from './lockfiles/locked-package.ts';
import { findBroughtBy } from './lockfiles/brought-by.ts';
import { parseYamlObject } from './lockfiles/pnpm.ts';
import { parsePurl } from './package-ref.ts';
import { parseXml } from './parse-xml.ts';
import type { XmlElement } from '../xml.ts';

/** What a document says about one component, in the terms that all formats share. */
interface SbomComponent {
  name: string;
  version: string;
  purl: string;
  cpe: string;
  broughtBy?: string[];
}

/** Packages of a CycloneDX (JSON, XML), an SPDX 3 (JSON-LD) or an SPDX 2 (JSON, YAML, RDF, tag-value) document. Throws `DocumentError`. */
export function readSbomText(text: string): LockedPackage[] {
  const begin = text.slice(0, 2000).trimStart();
  if (begin.startsWith('{')) return readSbomObject(parseJsonObject(text));
  if (begin.startsWith('<')) return packagesFromXml(text);
  if (/^SPDXVersion:/m.test(text)) return packagesFromTagValue(text);
  if (/^["']?spdxVersion["']?:/m.test(text)) return readSbomObject(parseYamlObject(text));
  throw new DocumentError(UNKNOWN_FORMAT_MESSAGE);
}

/** The same of a document that is parsed already. */
export function readSbomObject(root: JsonObject): LockedPackage[] {
  if (root['bomFormat'] === 'CycloneDX' || Array.isArray(root['components']))
    return toLockedPackages(componentsFromCycloneDx(root));
  if (root['spdxVersion'] !== undefined || root['SPDXID'] !== undefined)
    return toLockedPackages(componentsFromSpdx2(root));
  if (Array.isArray(root['@graph'])) return toLockedPackages(componentsFromSpdx3(objectList(root['@graph'])));
  throw new DocumentError(UNKNOWN_FORMAT_MESSAGE);
}

const UNKNOWN_FORMAT_MESSAGE = 'it is neither a CycloneDX nor an SPDX document';

/** SPDX 3 in JSON-LD: packages are elements of one graph. */
function componentsFromSpdx3(elements: readonly JsonObject[]): SbomComponent[] {
  return elements
    .filter(({ type }) => type === 'software_Package')
    .map((element) => {
      const identifier = (kind: string): string =>
        stringOrEmpty(
          objectList(element['externalIdentifier']).find(
            ({ externalIdentifierType }) => externalIdentifierType === kind,
          )?.['identifier'],
        );
      return {
        name: stringOrEmpty(element['name']),
        version: stringOrEmpty(element['software_packageVersion']),
        purl: stringOrEmpty(element['software_packageUrl']) || identifier('packageURL') || identifier('packageUrl'),
        cpe: identifier('cpe23') || identifier('cpe22'),
      };
    });
}

function toLockedPackages(components: readonly SbomComponent[]): LockedPackage[] {
  return components.map(({ name, version, purl, cpe, broughtBy }) => {
    const url = purl === '' ? null : parsePurl(purl);
    const isUrl = url !== null && url.name !== purl;
    const own = { name: url?.ecosystem == null ? name || (isUrl ? url.name : '') : url.name, version };
    if (own.version === '' && isUrl) own.version = url.version;
    // A component that is identified by its CPE alone is named by it.
    if (own.version === '' && !isUrl && cpe !== '') own.name = cpe;
    const ids = {
      ...(isUrl ? { purl } : {}),
      ...(cpe === '' ? {} : { cpe }),
      ...(broughtBy === undefined ? {} : { broughtBy }),
    };
    return createLockedPackage({ ...own, ecosystem: url?.ecosystem ?? null, ...ids });
  });
}

/** By `bom-ref`: what the subject of the document depends on, and what that brings. Empty where the document does not say. */
function broughtByReference(root: JsonObject): Map<string, string[]> {
  const next = new Map(
    objectList(root['dependencies']).map(({ ref, dependsOn }) => [
      stringOrEmpty(ref),
      Array.isArray(dependsOn) ? dependsOn.map(stringOrEmpty) : [],
    ]),
  );
  const metadata = isJsonObject(root['metadata']) ? root['metadata'] : {};
  const subject = isJsonObject(metadata['component']) ? stringOrEmpty(metadata['component']['bom-ref']) : '';
  const names = new Map(
    objectList(root['components']).map((component) => [
      stringOrEmpty(component['bom-ref']),
      joinGroupAndName(component['group'], component['name']),
    ]),
  );
  const direct = new Map((next.get(subject) ?? []).map((ref) => [ref, names.get(ref) ?? ref]));
  return findBroughtBy(direct, (ref) => next.get(ref) ?? []);
}

/** Components hold components; walked without recursion. */
function componentsFromCycloneDx(root: JsonObject): SbomComponent[] {
  const broughtBy = broughtByReference(root);
  const found: SbomComponent[] = [];
  const lists = [objectList(root['components'])];
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    for (const component of list) {
      if (component['components'] !== undefined) lists.push(objectList(component['components']));
      const { name, group, version, purl, cpe } = component;
      const from = broughtBy.get(stringOrEmpty(component['bom-ref']));
      found.push({
        ...(from !== undefined && { broughtBy: from }),
        name: joinGroupAndName(group, name),
        version: stringOrEmpty(version),
        purl: stringOrEmpty(purl),
        cpe: stringOrEmpty(cpe),
      });
    }
  }
  return found;
}

function joinGroupAndName(group: unknown, name: unknown): string {
  return stringOrEmpty(group) === '' ? stringOrEmpty(name) : `${stringOrEmpty(group)}/${stringOrEmpty(name)}`;
}

function componentsFromSpdx2(root: JsonObject): SbomComponent[] {
  return objectList(root['packages']).map((entry) => {
    const references = objectList(entry['externalRefs']).map((reference) => ({
      type: stringOrEmpty(reference['referenceType']),
      locator: stringOrEmpty(reference['referenceLocator']),
    }));
    return componentFromReferences(stringOrEmpty(entry['name']), stringOrEmpty(entry['versionInfo']), references);
  });
}

function componentFromReferences(
  name: string,
  version: string,
  references: readonly { type: string; locator: string }[],
): SbomComponent {
  const locator = (kind: RegExp): string => references.find(({ type }) => kind.test(type))?.locator ?? '';
  return { name, version, purl: locator(/(?:^|\/)purl$/), cpe: locator(/(?:^|\/)cpe2[23]Type$/) };
}

function packagesFromXml(text: string): LockedPackage[] {
  const [root] = parseXml(text).filter(({ name }) => name === 'bom' || name === 'RDF');
  if (root === undefined) throw new DocumentError(UNKNOWN_FORMAT_MESSAGE);
  const elements = descendantsOf(root);
  if (root.name === 'bom') {
    return toLockedPackages(
      elements
        .filter(({ name }) => name === 'component')
        .map((element) => ({
          name: joinGroupAndName(element.childText('group'), element.childText('name')),
          version: element.childText('version'),
          purl: element.childText('purl'),
          cpe: element.childText('cpe'),
        })),
    );
  }
  return toLockedPackages(elements.filter(({ name }) => name === 'Package').map(componentFromRdf));
}

function componentFromRdf(element: XmlElement): SbomComponent {
  const references = element.elements
    .filter(({ name }) => name === 'externalRef')
    .flatMap(({ elements }) => elements)
    .map((reference) => ({
      type: reference.child('referenceType')?.attributes['rdf:resource'] ?? '',
      locator: reference.childText('referenceLocator'),
    }));
  return componentFromReferences(element.childText('name'), element.childText('versionInfo'), references);
}

function descendantsOf(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    for (const child of element.elements) {
      found.push(child);
      waiting.push(child);
    }
  }
  return found;
}

/** `Tag: value`, one a line; a package begins with its name. */
function packagesFromTagValue(text: string): LockedPackage[] {
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
  return toLockedPackages(
    packages.map(({ name, version, references }) => componentFromReferences(name, version, references)),
  );
}

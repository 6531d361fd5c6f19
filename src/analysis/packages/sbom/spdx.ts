import type { XmlElement } from '../../xml.ts';
import type { DependencyScope } from '../dependency-scope.ts';
import { type JsonObject, objectList, stringList, stringOrEmpty } from '../lockfiles/locked-package.ts';
import type { SbomComponent, SbomDependency, SbomGraph } from './sbom-component.ts';
import { descendantsOf } from './xml-descendants.ts';

interface Relationship {
  from: string;
  /** As SPDX 2 writes it: `DEPENDS_ON`. */
  type: string;
  to: string;
}

interface ExternalReference {
  type: string;
  locator: string;
}

/** Relationships `A type B` that say that B needs A (SPDX 2.3, clause 11), and for what. */
const NEEDED_BY: ReadonlyMap<string, DependencyScope | undefined> = new Map([
  ['DEPENDENCY_OF', undefined],
  ['RUNTIME_DEPENDENCY_OF', undefined],
  ['BUILD_DEPENDENCY_OF', 'dev'],
  ['DEV_DEPENDENCY_OF', 'dev'],
  ['TEST_DEPENDENCY_OF', 'dev'],
  ['OPTIONAL_DEPENDENCY_OF', 'optional'],
  ['PROVIDED_DEPENDENCY_OF', 'provided'],
]);
const DOCUMENT = 'SPDXRef-DOCUMENT';

/** SPDX 2 as JSON or YAML has it. */
export function spdx2Graph(root: JsonObject): SbomGraph {
  const relationships = objectList(root['relationships']).map((one) => ({
    from: stringOrEmpty(one['spdxElementId']),
    type: stringOrEmpty(one['relationshipType']),
    to: stringOrEmpty(one['relatedSpdxElement']),
  }));
  const components = objectList(root['packages']).map((entry) => {
    const references = objectList(entry['externalRefs']).map((reference) => ({
      type: stringOrEmpty(reference['referenceType']),
      locator: stringOrEmpty(reference['referenceLocator']),
    }));
    const ref = stringOrEmpty(entry['SPDXID']);
    return createComponent(ref, stringOrEmpty(entry['name']), stringOrEmpty(entry['versionInfo']), references);
  });
  return createGraph(components, relationships, stringList(root['documentDescribes']));
}

/** SPDX 2, tag-value: `Tag: value`, one a line; a package begins with its name. */
export function spdxTagValueGraph(text: string): SbomGraph {
  const packages: { ref: string; name: string; version: string; references: ExternalReference[] }[] = [];
  const relationships: Relationship[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, tag, value = ''] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
    const words = value.trim().split(/\s+/);
    const current = packages.at(-1);
    if (tag === 'PackageName') packages.push({ ref: '', name: value.trim(), version: '', references: [] });
    else if (tag === 'Relationship') relationships.push({ from: words[0]!, type: words[1] ?? '', to: words[2] ?? '' });
    else if (current === undefined) continue;
    else if (tag === 'PackageVersion') current.version = value.trim();
    // Files and snippets, which come after the packages, have ids too.
    else if (tag === 'SPDXID' && current.ref === '') current.ref = value.trim();
    else if (tag === 'ExternalRef') current.references.push({ type: words[1] ?? '', locator: words[2] ?? '' });
  }
  const components = packages.map(({ ref, name, version, references }) =>
    createComponent(ref, name, version, references),
  );
  return createGraph(components, relationships, []);
}

/** SPDX 2 in RDF. */
export function spdxRdfGraph(root: XmlElement): SbomGraph {
  const elements = descendantsOf(root);
  const idOf = (element: XmlElement | undefined): string =>
    (element?.attributes['rdf:about'] ?? element?.attributes['rdf:resource'] ?? '').replace(/^.*#/, '');
  const relationships = elements
    .filter(({ attributes, elements }) => attributes['rdf:about'] !== undefined && elements.length > 0)
    .flatMap((element) =>
      element.elements
        .filter(({ name }) => name === 'relationship')
        .flatMap(({ elements }) => elements)
        .map((relationship) => {
          const related = relationship.child('relatedSpdxElement');
          const type = /relationshipType_(\w+)$/.exec(
            relationship.child('relationshipType')?.attributes['rdf:resource'] ?? '',
          )?.[1];
          return {
            from: idOf(element),
            type: (type ?? '').replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
            to: idOf(related) || idOf(related?.elements[0]),
          };
        }),
    );
  const components = elements
    .filter(({ name }) => name === 'Package')
    .map((element) => componentFromRdf(element, idOf));
  return createGraph(components, relationships, []);
}

function componentFromRdf(element: XmlElement, idOf: (element: XmlElement) => string): SbomComponent {
  const references = element.elements
    .filter(({ name }) => name === 'externalRef')
    .flatMap(({ elements }) => elements)
    .map((reference) => ({
      type: reference.child('referenceType')?.attributes['rdf:resource'] ?? '',
      locator: reference.childText('referenceLocator'),
    }));
  return createComponent(idOf(element), element.childText('name'), element.childText('versionInfo'), references);
}

function createComponent(
  ref: string,
  name: string,
  version: string,
  references: readonly ExternalReference[],
): SbomComponent {
  const locator = (kind: RegExp): string => references.find(({ type }) => kind.test(type))?.locator ?? '';
  return { ref, name, version, purl: locator(/(?:^|\/)purl$/), cpe: locator(/(?:^|\/)cpe2[23]Type$/) };
}

function createGraph(
  components: SbomComponent[],
  relationships: readonly Relationship[],
  described: readonly string[],
): SbomGraph {
  const subjects = relationships.flatMap(({ from, type, to }) =>
    type === 'DESCRIBES' && from === DOCUMENT ? [to] : type === 'DESCRIBED_BY' && to === DOCUMENT ? [from] : [],
  );
  const dependencies = relationships.flatMap(({ from, type, to }): SbomDependency[] => {
    if (type === 'DEPENDS_ON') return [{ from, to }];
    return NEEDED_BY.has(type) ? [{ from: to, to: from, scope: NEEDED_BY.get(type) }] : [];
  });
  return { components, subjects: [...new Set([...described, ...subjects])], dependencies };
}

const SPDX3_DEPENDENCIES: ReadonlyMap<string, DependencyScope | undefined> = new Map([
  ['dependsOn', undefined],
  ['hasOptionalDependency', 'optional'],
  ['hasProvidedDependency', 'provided'],
]);

/** SPDX 3 in JSON-LD: packages and relationships are elements of one graph. */
export function spdx3Graph(elements: readonly JsonObject[]): SbomGraph {
  const refOf = (element: JsonObject): string => stringOrEmpty(element['spdxId']) || stringOrEmpty(element['@id']);
  const relationships = elements.filter(({ type }) => stringOrEmpty(type).endsWith('Relationship'));
  const toList = (value: unknown): string[] => (typeof value === 'string' ? [value] : stringList(value));
  return {
    components: elements
      .filter(({ type }) => type === 'software_Package')
      .map((element) => spdx3Component(element, refOf)),
    subjects: [
      ...elements
        .filter(({ type }) => type === 'SpdxDocument' || type === 'software_Sbom')
        .flatMap(({ rootElement }) => toList(rootElement)),
      ...relationships.flatMap(({ relationshipType, to }) => (relationshipType === 'describes' ? toList(to) : [])),
    ],
    dependencies: relationships.flatMap(({ relationshipType, from, to, scope }) => {
      const type = stringOrEmpty(relationshipType);
      if (!SPDX3_DEPENDENCIES.has(type)) return [];
      const isDev = ['development', 'test', 'build'].includes(stringOrEmpty(scope));
      return toList(to).map((one) => ({
        from: stringOrEmpty(from),
        to: one,
        scope: isDev ? ('dev' as const) : SPDX3_DEPENDENCIES.get(type),
      }));
    }),
  };
}

function spdx3Component(element: JsonObject, refOf: (element: JsonObject) => string): SbomComponent {
  const identifier = (kind: string): string =>
    stringOrEmpty(
      objectList(element['externalIdentifier']).find(({ externalIdentifierType }) => externalIdentifierType === kind)?.[
        'identifier'
      ],
    );
  return {
    ref: refOf(element),
    name: stringOrEmpty(element['name']),
    version: stringOrEmpty(element['software_packageVersion']),
    purl: stringOrEmpty(element['software_packageUrl']) || identifier('packageURL') || identifier('packageUrl'),
    cpe: identifier('cpe23') || identifier('cpe22'),
  };
}

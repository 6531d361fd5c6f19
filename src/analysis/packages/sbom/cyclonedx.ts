import { isJsonObject } from '../../bounded-json.ts';
import type { XmlElement } from '../../xml.ts';
import type { DependencyScope } from '../dependency-scope.ts';
import { type JsonObject, objectList, stringList, stringOrEmpty } from '../lockfiles/locked-package.ts';
import { joinGroupAndName, type SbomComponent, type SbomGraph } from './sbom-component.ts';
import { descendantsOf } from './xml-descendants.ts';

/** CycloneDX in JSON. Components hold components; walked without recursion. */
export function cycloneDxGraph(root: JsonObject): SbomGraph {
  const components: SbomComponent[] = [];
  const lists = [objectList(root['components'])];
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    for (const component of list) {
      if (component['components'] !== undefined) lists.push(objectList(component['components']));
      const { name, group, version, purl, cpe, scope } = component;
      components.push({
        ref: stringOrEmpty(component['bom-ref']),
        name: joinGroupAndName(group, name),
        version: stringOrEmpty(version),
        purl: stringOrEmpty(purl),
        cpe: stringOrEmpty(cpe),
        scope: SCOPES.get(stringOrEmpty(scope)),
      });
    }
  }
  const metadata = isJsonObject(root['metadata']) ? root['metadata'] : {};
  const subject = isJsonObject(metadata['component']) ? stringOrEmpty(metadata['component']['bom-ref']) : '';
  return {
    components,
    subjects: [subject],
    dependencies: objectList(root['dependencies']).flatMap(({ ref, dependsOn }) =>
      stringList(dependsOn).map((to) => ({ from: stringOrEmpty(ref), to })),
    ),
  };
}

/** `excluded` is for tests and other uses that are not at run time (CycloneDX 1.6, `component.scope`). */
const SCOPES: ReadonlyMap<string, DependencyScope> = new Map([
  ['optional', 'optional'],
  ['excluded', 'dev'],
]);

/** CycloneDX in XML. */
export function cycloneDxXmlGraph(root: XmlElement): SbomGraph {
  const subject = root.child('metadata')?.child('component');
  return {
    components: (root.child('components')?.elements ?? [])
      .flatMap((element) => [element, ...descendantsOf(element)])
      .filter(({ name }) => name === 'component')
      .map((element) => ({
        ref: element.attributes['bom-ref'] ?? '',
        name: joinGroupAndName(element.childText('group'), element.childText('name')),
        version: element.childText('version'),
        purl: element.childText('purl'),
        cpe: element.childText('cpe'),
        scope: SCOPES.get(element.childText('scope')),
      })),
    subjects: [subject?.attributes['bom-ref'] ?? ''],
    dependencies: (root.child('dependencies')?.elements ?? []).flatMap((from) =>
      from.elements.map((to) => ({ from: from.attributes['ref'] ?? '', to: to.attributes['ref'] ?? '' })),
    ),
  };
}

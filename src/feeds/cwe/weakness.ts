import { cleanText } from '../../analysis/display-text.ts';
import { normalizeWebUrl } from '../../analysis/web-url.ts';
import type { WeaknessMitigation, ObservedExample, WeaknessEntry } from '../entries.ts';
import type { XmlElement } from '../../analysis/xml.ts';
import { xmlToPlainText } from './xml-to-plain-text.ts';

const RESEARCH_VIEW = '1000';

/**
 * A `Weakness` element (CWE schema 7) as an entry. `in_view_1000` is set from the element's own relations; the direct members of
 * the view (the pillars) are only in its `View` element. Throws an `Error` with the reason if it is not a weakness.
 */
export function parseWeakness(element: XmlElement): WeaknessEntry {
  const { ID: id, Name: name, Abstraction: abstraction, Status: status } = element.attributes;
  if (id === undefined || !/^\d+$/.test(id)) throw new Error('no numeric ID');
  if (name === undefined || abstraction === undefined || status === undefined) {
    throw new Error('without Name, Abstraction or Status');
  }
  const parents = parentsOf(element);
  return {
    cwe_id: `CWE-${id}`,
    name: cleanText(name),
    abstraction,
    status,
    description: textOf(element, 'Description') ?? '',
    extended_description: textOf(element, 'Extended_Description'),
    mitigations: grandchildren(element, 'Potential_Mitigations', 'Mitigation').map(mitigationOf),
    examples: grandchildren(element, 'Observed_Examples', 'Observed_Example').map(exampleOf),
    parents,
    in_view_1000: parents.length > 0 && status !== 'Deprecated',
  };
}

/** Ids (`CWE-284`) of the direct members of view 1000; null for another view. */
export function membersOfResearchView(view: XmlElement): string[] | null {
  if (view.attributes['ID'] !== RESEARCH_VIEW) return null;
  return grandchildren(view, 'Members', 'Has_Member').map((member) => `CWE-${member.attributes['CWE_ID']}`);
}

/** Direct parents in view 1000, the primary one first. */
function parentsOf(element: XmlElement): string[] {
  const relations = grandchildren(element, 'Related_Weaknesses', 'Related_Weakness')
    .map((relation) => relation.attributes)
    .filter((relation) => relation['Nature'] === 'ChildOf' && relation['View_ID'] === RESEARCH_VIEW);
  const primaryFirst = relations.toSorted(
    (a, b) => Number(b['Ordinal'] === 'Primary') - Number(a['Ordinal'] === 'Primary'),
  );
  return [...new Set(primaryFirst.map((relation) => `CWE-${relation['CWE_ID']}`))];
}

function mitigationOf(element: XmlElement): WeaknessMitigation {
  const phases = children(element, 'Phase').map(xmlToPlainText);
  return {
    phase: phases.length > 0 ? phases.join(', ') : null,
    strategy: textOf(element, 'Strategy'),
    description: textOf(element, 'Description') ?? '',
    effectiveness: textOf(element, 'Effectiveness'),
  };
}

function exampleOf(element: XmlElement): ObservedExample {
  return {
    reference: textOf(element, 'Reference') ?? '',
    description: textOf(element, 'Description') ?? '',
    link: normalizeWebUrl(textOf(element, 'Link') ?? ''),
  };
}

function textOf(element: XmlElement, name: string): string | null {
  const child = element.child(name);
  return child === undefined ? null : xmlToPlainText(child) || null;
}

function grandchildren(element: XmlElement, group: string, name: string): XmlElement[] {
  return children(element, group).flatMap((child) => children(child, name));
}

function children(element: XmlElement, name: string): XmlElement[] {
  return element.elements.filter((child) => child.name === name);
}

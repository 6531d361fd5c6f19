import { findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { parsePlainVersion, parsePurl } from '../../analysis/packages/package-ref.ts';
import { genericOrder } from '../../analysis/versions/generic.ts';
import type { Problem } from '../../operations/code/lib/report/problem.ts';

type Package = NonNullable<Problem['package']>;
type Operator = '=' | '<' | '<=' | '>' | '>=';

/** What is right, for errors. */
export const PACKAGE_PATTERN_FORM =
  'a name or a package URL, with a version or bounds after @: qs, qs@6.5.2, pkg:npm/qs@>=6 <6.5.3';

const COMPARISONS: Readonly<Record<Operator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};
const BOUND = /^(<=|>=|<|>|=)?\s*(\S+)$/;

/** Whether a package is the one that the pattern names, in a version that it names. Null if the pattern is malformed. */
export function parsePackagePattern(text: string): ((given: Package) => boolean) | null {
  const at = text.lastIndexOf('@');
  const hasVersion = at > 0 && at > text.lastIndexOf('/');
  const nameText = (hasVersion ? text.slice(0, at) : text).trim();
  const bounds = hasVersion ? parseBounds(text.slice(at + 1)) : [];
  const ref = nameText.startsWith('pkg:') ? parsePurl(nameText) : { name: nameText, ecosystem: null };
  if (bounds === null || ref.name === '' || /\s/.test(ref.name) || ('problem' in ref && ref.problem !== undefined))
    return null;
  return ({ name, version, ecosystem }) => {
    const known = findEcosystem(ecosystem ?? '');
    const canonical = known?.canonicalName ?? ((one: string) => one);
    if (canonical(name) !== canonical(ref.name)) return false;
    if (ref.ecosystem !== null && ref.ecosystem !== ecosystem) return false;
    const order = known?.order ?? genericOrder;
    const own = order.parse(version);
    return bounds.every(({ operator, version: limitText }) => {
      const limit = order.parse(limitText);
      return own !== null && limit !== null && COMPARISONS[operator](order.compare(own, limit));
    });
  };
}

/** Null if it is malformed. */
function parseBounds(text: string): { operator: Operator; version: string }[] | null {
  const parts = text
    .replace(/([<>=])\s+/g, '$1')
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  const bounds = parts.map((part) => {
    const [, operator = '=', version = ''] = BOUND.exec(part) ?? [];
    return { operator: operator as Operator, version };
  });
  const isWell = bounds.length > 0 && bounds.every(({ version }) => parsePlainVersion(version, genericOrder) !== null);
  return isWell ? bounds : null;
}

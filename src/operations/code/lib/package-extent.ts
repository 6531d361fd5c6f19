import { ECOSYSTEMS } from '../../../analysis/packages/ecosystems.ts';
import type { PackageRef } from '../../../analysis/packages/package-ref.ts';
import type { Context } from '../../../engine/context.ts';
import { advisoryExtent, type AdvisoryExtent } from '../../../engine/advisory-extent.ts';

/** Of the ecosystems of these packages; a package without one may be of any. */
export function packageExtent(
  packages: readonly PackageRef[],
  { catalog, evidence }: Pick<Context, 'catalog' | 'evidence'>,
): AdvisoryExtent {
  const asked = packages.flatMap(({ ecosystem, problem, isGeneric, cpe }) => {
    if (ecosystem !== null) return [ecosystem];
    return problem !== undefined || isGeneric === true || cpe !== undefined ? [] : ECOSYSTEMS.map(({ name }) => name);
  });
  return advisoryExtent(asked, (name) => catalog.hasOsvAdvisories(name), evidence);
}

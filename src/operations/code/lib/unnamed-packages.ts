import { formatCount, formatNumber } from '../../../engine/summary.ts';

/**
 * What the count of packages that no source names means, without a full stop: `checked` are the packages that were looked up, these
 * among them, of `given` ones.
 */
export function describeUnnamed(unnamed: number, checked: number, given = checked): string {
  if (given === 1) return 'no source that is loaded names this package, so nothing is known of it';
  if (unnamed === checked) {
    return `no source that is loaded names any of the ${checked < given ? `${formatNumber(checked)} of ` : ''}${formatCount(given, 'package')} checked, so nothing is known of them`;
  }
  return `${formatNumber(unnamed)} of the packages checked ${unnamed === 1 ? 'is' : 'are'} named by no source, so nothing is known of ${unnamed === 1 ? 'it' : 'them'}`;
}

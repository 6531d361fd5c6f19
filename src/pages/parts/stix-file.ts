import { stixBundle } from '../../operations/indicators/lib/stix-bundle.ts';
import type { PageFile } from '../page.ts';

/** Answers about indicators as a STIX 2.1 bundle, to save or to fetch. */
export function stixFile(answers: Parameters<typeof stixBundle>[0], now: Date): PageFile['file'] {
  return {
    type: 'application/stix+json;version=2.1',
    name: 'indicators.stix.json',
    body: JSON.stringify(stixBundle(answers, now), null, 1),
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SecretCase } from './secret-case.ts';

type Sample = string | { path: string; text: string };
interface SampleRule {
  rule: string;
  should_match: Sample[];
  should_not_match: Sample[];
}

/** A text that has a secret or has none, as a whole. */
export interface LabelledText extends Pick<SecretCase, 'path' | 'text' | 'about'> {
  readonly hasSecret: boolean;
}

/** The sample strings of the rules of gitleaks (MIT), see the README of the suite. */
export function publicSamples(suites: string): LabelledText[] {
  const packed = readFileSync(join(suites, 'secrets/samples.json.gz'));
  const rules = JSON.parse(gunzipSync(packed).toString()) as SampleRule[];
  const label = (sample: Sample, rule: string, hasSecret: boolean): LabelledText => ({
    ...(typeof sample === 'string' ? { path: '', text: sample } : sample),
    about: rule,
    hasSecret,
  });
  return rules.flatMap(({ rule, should_match, should_not_match }) => [
    ...should_match.map((sample) => label(sample, rule, true)),
    ...should_not_match.map((sample) => label(sample, rule, false)),
  ]);
}

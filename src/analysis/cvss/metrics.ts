import type { CvssVersion } from '../cve/facts.ts';

/** Metric groups of the specifications; `threat` is what 4.0 made of `temporal`. */
export type MetricGroup = 'base' | 'temporal' | 'threat' | 'environmental' | 'supplemental';

export interface Metric {
  name: string;
  group: MetricGroup;
  /** Accepted values in the specification's order. */
  values: readonly string[];
  /** Base metrics: the word that NVD writes for each value. */
  words: Readonly<Record<string, string>>;
}

const base = (name: string, words: Record<string, string>): Metric => ({
  name,
  group: 'base',
  values: Object.keys(words),
  words,
});

const optional =
  (group: MetricGroup) =>
  (name: string, values: string): Metric => ({ name, group, values: values.split(' '), words: {} });

const temporal = optional('temporal');
const threat = optional('threat');
const environmental = optional('environmental');
const supplemental = optional('supplemental');

const impactV2 = { N: 'NONE', P: 'PARTIAL', C: 'COMPLETE' };
const impact = { H: 'HIGH', L: 'LOW', N: 'NONE' };
const privileges = { N: 'NONE', L: 'LOW', H: 'HIGH' };
const complexity = { L: 'LOW', H: 'HIGH' };

const v2: readonly Metric[] = [
  base('AV', { L: 'LOCAL', A: 'ADJACENT_NETWORK', N: 'NETWORK' }),
  base('AC', { H: 'HIGH', M: 'MEDIUM', L: 'LOW' }),
  base('Au', { M: 'MULTIPLE', S: 'SINGLE', N: 'NONE' }),
  base('C', impactV2),
  base('I', impactV2),
  base('A', impactV2),
  temporal('E', 'U POC F H ND'),
  temporal('RL', 'OF TF W U ND'),
  temporal('RC', 'UC UR C ND'),
  environmental('CDP', 'N L LM MH H ND'),
  environmental('TD', 'N L M H ND'),
  environmental('CR', 'L M H ND'),
  environmental('IR', 'L M H ND'),
  environmental('AR', 'L M H ND'),
];

const v3: readonly Metric[] = [
  base('AV', { N: 'NETWORK', A: 'ADJACENT_NETWORK', L: 'LOCAL', P: 'PHYSICAL' }),
  base('AC', complexity),
  base('PR', privileges),
  base('UI', { N: 'NONE', R: 'REQUIRED' }),
  base('S', { U: 'UNCHANGED', C: 'CHANGED' }),
  base('C', impact),
  base('I', impact),
  base('A', impact),
  temporal('E', 'X H F P U'),
  temporal('RL', 'X U W T O'),
  temporal('RC', 'X C R U'),
  environmental('CR', 'X H M L'),
  environmental('IR', 'X H M L'),
  environmental('AR', 'X H M L'),
  environmental('MAV', 'X N A L P'),
  environmental('MAC', 'X L H'),
  environmental('MPR', 'X N L H'),
  environmental('MUI', 'X N R'),
  environmental('MS', 'X U C'),
  environmental('MC', 'X N L H'),
  environmental('MI', 'X N L H'),
  environmental('MA', 'X N L H'),
];

const v4: readonly Metric[] = [
  base('AV', { N: 'NETWORK', A: 'ADJACENT', L: 'LOCAL', P: 'PHYSICAL' }),
  base('AC', complexity),
  base('AT', { N: 'NONE', P: 'PRESENT' }),
  base('PR', privileges),
  base('UI', { N: 'NONE', P: 'PASSIVE', A: 'ACTIVE' }),
  base('VC', impact),
  base('VI', impact),
  base('VA', impact),
  base('SC', impact),
  base('SI', impact),
  base('SA', impact),
  threat('E', 'X A P U'),
  environmental('CR', 'X H M L'),
  environmental('IR', 'X H M L'),
  environmental('AR', 'X H M L'),
  environmental('MAV', 'X N A L P'),
  environmental('MAC', 'X L H'),
  environmental('MAT', 'X N P'),
  environmental('MPR', 'X N L H'),
  environmental('MUI', 'X N P A'),
  environmental('MVC', 'X H L N'),
  environmental('MVI', 'X H L N'),
  environmental('MVA', 'X H L N'),
  environmental('MSC', 'X H L N'),
  environmental('MSI', 'X S H L N'),
  environmental('MSA', 'X S H L N'),
  supplemental('S', 'X N P'),
  supplemental('AU', 'X N Y'),
  supplemental('R', 'X A U I'),
  supplemental('V', 'X D C'),
  supplemental('RE', 'X L M H'),
  supplemental('U', 'X Clear Green Amber Red'),
];

/** Every metric of each version, in the order in which the FIRST specification writes a vector. */
export const METRICS: Readonly<Record<CvssVersion, readonly Metric[]>> = {
  '2.0': v2,
  '3.0': v3,
  '3.1': v3,
  '4.0': v4,
};

/** `X` (`ND` in 2.0) says the same as leaving the metric out. */
export const isDefined = (value: string | undefined): value is string =>
  value !== undefined && value !== 'X' && value !== 'ND';

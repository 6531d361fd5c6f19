export type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0';

/** Metric groups of the specifications; `threat` is what 4.0 made of `temporal`. */
export type CvssMetricGroup = 'base' | 'temporal' | 'threat' | 'environmental' | 'supplemental';

export interface CvssMetric {
  abbreviation: string;
  group: CvssMetricGroup;
  /** Accepted values in the specification's order. */
  values: readonly string[];
  /** Base metrics: the word that NVD writes for each value. */
  valueNames: Readonly<Record<string, string>>;
}

const baseMetric = (name: string, words: Record<string, string>): CvssMetric => ({
  abbreviation: name,
  group: 'base',
  values: Object.keys(words),
  valueNames: words,
});

const optionalMetric =
  (group: CvssMetricGroup) =>
  (name: string, values: string): CvssMetric => ({
    abbreviation: name,
    group,
    values: values.split(' '),
    valueNames: {},
  });

const temporalMetric = optionalMetric('temporal');
const threatMetric = optionalMetric('threat');
const environmentalMetric = optionalMetric('environmental');
const supplementalMetric = optionalMetric('supplemental');

const impactV2 = { N: 'NONE', P: 'PARTIAL', C: 'COMPLETE' };
const impact = { H: 'HIGH', L: 'LOW', N: 'NONE' };
const privileges = { N: 'NONE', L: 'LOW', H: 'HIGH' };
const complexity = { L: 'LOW', H: 'HIGH' };

const METRICS_V2: readonly CvssMetric[] = [
  baseMetric('AV', { L: 'LOCAL', A: 'ADJACENT_NETWORK', N: 'NETWORK' }),
  baseMetric('AC', { H: 'HIGH', M: 'MEDIUM', L: 'LOW' }),
  baseMetric('Au', { M: 'MULTIPLE', S: 'SINGLE', N: 'NONE' }),
  baseMetric('C', impactV2),
  baseMetric('I', impactV2),
  baseMetric('A', impactV2),
  temporalMetric('E', 'U POC F H ND'),
  temporalMetric('RL', 'OF TF W U ND'),
  temporalMetric('RC', 'UC UR C ND'),
  environmentalMetric('CDP', 'N L LM MH H ND'),
  environmentalMetric('TD', 'N L M H ND'),
  environmentalMetric('CR', 'L M H ND'),
  environmentalMetric('IR', 'L M H ND'),
  environmentalMetric('AR', 'L M H ND'),
];

const METRICS_V3: readonly CvssMetric[] = [
  baseMetric('AV', { N: 'NETWORK', A: 'ADJACENT_NETWORK', L: 'LOCAL', P: 'PHYSICAL' }),
  baseMetric('AC', complexity),
  baseMetric('PR', privileges),
  baseMetric('UI', { N: 'NONE', R: 'REQUIRED' }),
  baseMetric('S', { U: 'UNCHANGED', C: 'CHANGED' }),
  baseMetric('C', impact),
  baseMetric('I', impact),
  baseMetric('A', impact),
  temporalMetric('E', 'X H F P U'),
  temporalMetric('RL', 'X U W T O'),
  temporalMetric('RC', 'X C R U'),
  environmentalMetric('CR', 'X H M L'),
  environmentalMetric('IR', 'X H M L'),
  environmentalMetric('AR', 'X H M L'),
  environmentalMetric('MAV', 'X N A L P'),
  environmentalMetric('MAC', 'X L H'),
  environmentalMetric('MPR', 'X N L H'),
  environmentalMetric('MUI', 'X N R'),
  environmentalMetric('MS', 'X U C'),
  environmentalMetric('MC', 'X N L H'),
  environmentalMetric('MI', 'X N L H'),
  environmentalMetric('MA', 'X N L H'),
];

const METRICS_V4: readonly CvssMetric[] = [
  baseMetric('AV', { N: 'NETWORK', A: 'ADJACENT', L: 'LOCAL', P: 'PHYSICAL' }),
  baseMetric('AC', complexity),
  baseMetric('AT', { N: 'NONE', P: 'PRESENT' }),
  baseMetric('PR', privileges),
  baseMetric('UI', { N: 'NONE', P: 'PASSIVE', A: 'ACTIVE' }),
  baseMetric('VC', impact),
  baseMetric('VI', impact),
  baseMetric('VA', impact),
  baseMetric('SC', impact),
  baseMetric('SI', impact),
  baseMetric('SA', impact),
  threatMetric('E', 'X A P U'),
  environmentalMetric('CR', 'X H M L'),
  environmentalMetric('IR', 'X H M L'),
  environmentalMetric('AR', 'X H M L'),
  environmentalMetric('MAV', 'X N A L P'),
  environmentalMetric('MAC', 'X L H'),
  environmentalMetric('MAT', 'X N P'),
  environmentalMetric('MPR', 'X N L H'),
  environmentalMetric('MUI', 'X N P A'),
  environmentalMetric('MVC', 'X H L N'),
  environmentalMetric('MVI', 'X H L N'),
  environmentalMetric('MVA', 'X H L N'),
  environmentalMetric('MSC', 'X H L N'),
  environmentalMetric('MSI', 'X S H L N'),
  environmentalMetric('MSA', 'X S H L N'),
  supplementalMetric('S', 'X N P'),
  supplementalMetric('AU', 'X N Y'),
  supplementalMetric('R', 'X A U I'),
  supplementalMetric('V', 'X D C'),
  supplementalMetric('RE', 'X L M H'),
  supplementalMetric('U', 'X Clear Green Amber Red'),
];

/** Every metric of each version, in the order in which the FIRST specification writes a vector. */
export const CVSS_METRICS: Readonly<Record<CvssVersion, readonly CvssMetric[]>> = {
  '2.0': METRICS_V2,
  '3.0': METRICS_V3,
  '3.1': METRICS_V3,
  '4.0': METRICS_V4,
};

/** `X` (`ND` in 2.0) says the same as leaving the metric out. */
export const isMetricDefined = (value: string | undefined): value is string =>
  value !== undefined && value !== 'X' && value !== 'ND';

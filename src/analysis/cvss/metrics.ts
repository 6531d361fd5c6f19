export type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0';

/** Metric groups of the specifications; `threat` replaces `temporal` in 4.0. */
export type CvssMetricGroup = 'base' | 'temporal' | 'threat' | 'environmental' | 'supplemental';

export interface CvssMetric {
  abbreviation: string;
  group: CvssMetricGroup;
  /** Accepted values in the specification's order. */
  values: readonly string[];
  /** Base metrics: the word that NVD writes for each value. */
  valueNames: Readonly<Record<string, string>>;
}

/** Base metrics: abbreviations (several with the same values), and the word for each value. */
function baseMetrics(table: Readonly<Record<string, Readonly<Record<string, string>>>>): CvssMetric[] {
  return Object.entries(table).flatMap(([names, valueNames]) =>
    names.split(' ').map((abbreviation) => ({
      abbreviation,
      group: 'base' as const,
      values: Object.keys(valueNames),
      valueNames,
    })),
  );
}

/** Metrics of another group: abbreviations (several with the same values), and the values. */
function optionalMetrics(group: CvssMetricGroup, table: Readonly<Record<string, string>>): CvssMetric[] {
  return Object.entries(table).flatMap(([names, values]) =>
    names.split(' ').map((abbreviation) => ({ abbreviation, group, values: values.split(' '), valueNames: {} })),
  );
}

const METRICS_V2: readonly CvssMetric[] = [
  ...baseMetrics({
    AV: { L: 'LOCAL', A: 'ADJACENT_NETWORK', N: 'NETWORK' },
    AC: { H: 'HIGH', M: 'MEDIUM', L: 'LOW' },
    Au: { M: 'MULTIPLE', S: 'SINGLE', N: 'NONE' },
    'C I A': { N: 'NONE', P: 'PARTIAL', C: 'COMPLETE' },
  }),
  ...optionalMetrics('temporal', { E: 'U POC F H ND', RL: 'OF TF W U ND', RC: 'UC UR C ND' }),
  ...optionalMetrics('environmental', { CDP: 'N L LM MH H ND', TD: 'N L M H ND', 'CR IR AR': 'L M H ND' }),
];

const METRICS_V3: readonly CvssMetric[] = [
  ...baseMetrics({
    AV: { N: 'NETWORK', A: 'ADJACENT_NETWORK', L: 'LOCAL', P: 'PHYSICAL' },
    AC: { L: 'LOW', H: 'HIGH' },
    PR: { N: 'NONE', L: 'LOW', H: 'HIGH' },
    UI: { N: 'NONE', R: 'REQUIRED' },
    S: { U: 'UNCHANGED', C: 'CHANGED' },
    'C I A': { H: 'HIGH', L: 'LOW', N: 'NONE' },
  }),
  ...optionalMetrics('temporal', { E: 'X H F P U', RL: 'X U W T O', RC: 'X C R U' }),
  ...optionalMetrics('environmental', {
    'CR IR AR': 'X H M L',
    MAV: 'X N A L P',
    MAC: 'X L H',
    MPR: 'X N L H',
    MUI: 'X N R',
    MS: 'X U C',
    'MC MI MA': 'X N L H',
  }),
];

const METRICS_V4: readonly CvssMetric[] = [
  ...baseMetrics({
    AV: { N: 'NETWORK', A: 'ADJACENT', L: 'LOCAL', P: 'PHYSICAL' },
    AC: { L: 'LOW', H: 'HIGH' },
    AT: { N: 'NONE', P: 'PRESENT' },
    PR: { N: 'NONE', L: 'LOW', H: 'HIGH' },
    UI: { N: 'NONE', P: 'PASSIVE', A: 'ACTIVE' },
    'VC VI VA SC SI SA': { H: 'HIGH', L: 'LOW', N: 'NONE' },
  }),
  ...optionalMetrics('threat', { E: 'X A P U' }),
  ...optionalMetrics('environmental', {
    'CR IR AR': 'X H M L',
    MAV: 'X N A L P',
    MAC: 'X L H',
    MAT: 'X N P',
    MPR: 'X N L H',
    MUI: 'X N P A',
    'MVC MVI MVA MSC': 'X H L N',
    'MSI MSA': 'X S H L N',
  }),
  ...optionalMetrics('supplemental', {
    S: 'X N P',
    AU: 'X N Y',
    R: 'X A U I',
    V: 'X D C',
    RE: 'X L M H',
    U: 'X Clear Green Amber Red',
  }),
];

/** Every metric of each version, in the order of the specification's vectors. */
export const CVSS_METRICS: Readonly<Record<CvssVersion, readonly CvssMetric[]>> = {
  '2.0': METRICS_V2,
  '3.0': METRICS_V3,
  '3.1': METRICS_V3,
  '4.0': METRICS_V4,
};

/** False for `X` (2.0: `ND`), which means the same as leaving the metric out. */
export const isMetricDefined = (value: string | undefined): value is string =>
  value !== undefined && value !== 'X' && value !== 'ND';

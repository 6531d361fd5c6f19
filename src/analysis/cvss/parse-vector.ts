import { type CvssVersion, CVSS_METRICS, type CvssMetric } from './metrics.ts';

/** Value of each metric by its abbreviation. */
export type MetricValues = ReadonlyMap<string, string>;

export interface ParsedCvssVector {
  version: CvssVersion;
  /** In the specification's order, without metrics that the vector leaves out. */
  metrics: MetricValues;
  /** The vector in the specification's form and order, with all metrics of the input (`X` too). */
  vector: string;
}

/** The text is not a valid vector. The message says what is wrong and what is accepted, with an example. */
export class CvssVectorError extends Error {
  override name = 'CvssVectorError';
}

/** The longest valid vector (4.0, every metric) has fewer than 250 characters. */
const MAX_CVSS_VECTOR_LENGTH = 500;

interface MetricToken {
  metric: CvssMetric;
  value: string;
  position: number;
}

interface VectorGrammar {
  version: CvssVersion;
  prefix: string;
  example: string;
  metrics: readonly CvssMetric[];
  requiredCount: number;
  /** Every accepted `name:value`. */
  tokens: ReadonlyMap<string, MetricToken>;
}

function createGrammar(version: CvssVersion, prefix: string, exampleMetrics: string): VectorGrammar {
  const metrics = CVSS_METRICS[version];
  const tokens = new Map<string, MetricToken>();
  for (const [position, metric] of metrics.entries()) {
    for (const value of metric.values) tokens.set(`${metric.abbreviation}:${value}`, { metric, value, position });
  }
  const required = metrics.filter(({ group }) => group === 'base').length;
  return { version, prefix, example: prefix + exampleMetrics, metrics, requiredCount: required, tokens };
}

const GRAMMAR_V2 = createGrammar('2.0', '', 'AV:N/AC:L/Au:N/C:P/I:P/A:P');
const GRAMMAR_V31 = createGrammar('3.1', 'CVSS:3.1/', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H');
const PREFIXED_GRAMMARS: readonly VectorGrammar[] = [
  GRAMMAR_V31,
  createGrammar('3.0', 'CVSS:3.0/', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'),
  createGrammar('4.0', 'CVSS:4.0/', 'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'),
];

/** A part of the input, made safe for a message. */
function quoteForMessage(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  return `"${printable.length > 40 ? `${printable.slice(0, 40)}...` : printable}"`;
}

function throwVectorError(problem: string, example: string): never {
  throw new CvssVectorError(`${problem} Example: ${example}`);
}

function detectGrammar(text: string): [VectorGrammar, body: string] {
  for (const form of PREFIXED_GRAMMARS) {
    if (text.startsWith(form.prefix)) return [form, text.slice(form.prefix.length)];
  }
  if (/^cvss:/i.test(text)) {
    const accepted = PREFIXED_GRAMMARS.map(({ prefix }) => prefix).join(', ');
    throwVectorError(
      `${quoteForMessage(text)} does not begin with a known version: ${accepted} (upper case), or no prefix for CVSS 2.0.`,
      GRAMMAR_V31.example,
    );
  }
  const bare = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
  return [GRAMMAR_V2, bare.startsWith('CVSS2#') ? bare.slice('CVSS2#'.length) : bare];
}

function throwInvalidToken(form: VectorGrammar, token: string): never {
  const inVersion = `in a CVSS ${form.version} vector`;
  if (token === '')
    throwVectorError(`Empty metric (two slashes in a row, or one at an end) ${inVersion}.`, form.example);
  const colon = token.indexOf(':');
  if (colon < 0)
    throwVectorError(`${quoteForMessage(token)} ${inVersion} is not of the form metric:value.`, form.example);
  const name = token.slice(0, colon);
  const metric = form.metrics.find((candidate) => candidate.abbreviation === name);
  if (metric) {
    const value = quoteForMessage(token.slice(colon + 1));
    throwVectorError(
      `Unknown value ${value} of ${name} ${inVersion}; accepted: ${metric.values.join(', ')}.`,
      form.example,
    );
  }
  if (form === GRAMMAR_V2 && GRAMMAR_V31.metrics.some((candidate) => candidate.abbreviation === name)) {
    throwVectorError(
      `${quoteForMessage(name)} is not a CVSS 2.0 metric; a CVSS 3.x vector begins with its version, CVSS:3.1/.`,
      GRAMMAR_V31.example,
    );
  }
  const names = form.metrics.map((candidate) => candidate.abbreviation).join(', ');
  throwVectorError(
    `Unknown metric ${quoteForMessage(name)} ${inVersion}; accepted (case matters): ${names}.`,
    form.example,
  );
}

/**
 * Parses and checks a CVSS vector: `CVSS:3.0/...`, `CVSS:3.1/...`, `CVSS:4.0/...`, or a 2.0 vector, which has no prefix
 * but may be written `(AV:...)` or `CVSS2#AV:...`. Surrounding white space is ignored.
 *
 * Names and values are case-sensitive. Throws `CvssVectorError` for unknown metrics or values, repeated metrics, missing base metrics
 * and empty parts (a trailing slash). Metrics may have any order: 3.x requires that, and some publishers write 2.0 and 4.0 vectors
 * in another order, which is unambiguous.
 */
export function parseCvssVector(text: string): ParsedCvssVector {
  if (text.length > MAX_CVSS_VECTOR_LENGTH) {
    throwVectorError(
      `A CVSS vector has at most ${MAX_CVSS_VECTOR_LENGTH} characters, this one has ${text.length}.`,
      GRAMMAR_V31.example,
    );
  }
  const trimmed = text.trim();
  if (trimmed === '') throwVectorError('The CVSS vector is empty.', GRAMMAR_V31.example);
  const [form, body] = detectGrammar(trimmed);

  const tokens: MetricToken[] = [];
  const metrics = new Map<string, string>();
  let required = 0;
  let ordered = true;
  for (const part of body.split('/')) {
    const token = form.tokens.get(part) ?? throwInvalidToken(form, part);
    const { metric, value, position } = token;
    if (metrics.has(metric.abbreviation)) {
      throwVectorError(
        `${metric.abbreviation} is given twice; each metric may occur once in a CVSS ${form.version} vector.`,
        form.example,
      );
    }
    if (metric.group === 'base') required += 1;
    ordered &&= position >= (tokens.at(-1)?.position ?? 0);
    tokens.push(token);
    metrics.set(metric.abbreviation, value);
  }
  if (required < form.requiredCount) {
    const missing = form.metrics.filter(({ group, abbreviation }) => group === 'base' && !metrics.has(abbreviation));
    const names = missing.map(({ abbreviation }) => abbreviation).join(', ');
    throwVectorError(`Base metrics are missing from this CVSS ${form.version} vector: ${names}.`, form.example);
  }
  const { version, prefix } = form;
  if (ordered) return { version, metrics, vector: prefix + body };
  tokens.sort((a, b) => a.position - b.position);
  return {
    version,
    metrics: new Map(tokens.map(({ metric, value }) => [metric.abbreviation, value])),
    vector: prefix + tokens.map(({ metric, value }) => `${metric.abbreviation}:${value}`).join('/'),
  };
}

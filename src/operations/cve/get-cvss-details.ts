import { z } from 'zod';
import { type BaseMetricsV3, describeBaseMetrics } from '../../analysis/cvss/describe-base-metrics.ts';
import { scoreVector } from '../../analysis/cvss/score-vector.ts';
import { CvssVectorError, parseCvssVector } from '../../analysis/cvss/parse-vector.ts';
import { ApiError } from '../../errors.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { joinSummary } from '../../engine/summary.ts';
import { SEVERITIES } from '../../analysis/severity.ts';

const Score = z.number().min(0).max(10);
const EXAMPLE_VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H';

export const getCvssDetails = defineOperation({
  id: 'get_cvss_details',
  area: 'cve',
  title: 'CVSS vector in words',
  description:
    'Reads a CVSS v3.0 or v3.1 vector: each metric in words, scores and severity recomputed from the vector.',
  route: 'GET /v1/cvss/details',
  subject: { kind: 'cvss_vector', field: 'vector' },
  input: z.strictObject({
    vector: z
      .string()
      .max(500)
      .meta({ description: 'CVSS v3.0 or v3.1 vector, at most 500 characters.', examples: [EXAMPLE_VECTOR] }),
  }),
  output: lookupOutputSchema('CvssDetails', {
    version: z.enum(['3.0', '3.1']),
    vector: z.string(),
    base_score: Score,
    base_severity: z.enum([...SEVERITIES, 'NONE']),
    metrics: z.object({
      attack_vector: z.string(),
      attack_complexity: z.string(),
      privileges_required: z.string(),
      user_interaction: z.string(),
      scope: z.string(),
      confidentiality_impact: z.string(),
      integrity_impact: z.string(),
      availability_impact: z.string(),
    }),
    temporal_score: Score.nullable(),
    environmental_score: Score.nullable(),
  }),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'The vector of Log4Shell', input: { vector: EXAMPLE_VECTOR } },
    { title: 'With temporal metrics', input: { vector: 'CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H/E:F/RL:O/RC:C' } },
  ],
  tool: {
    description:
      'Explain a CVSS v3.0/v3.1 vector string and recompute its scores. For the vector of a CVE use cve_lookup first.',
    openWorld: false,
  },
  falsifiableFields: ['base_score', 'base_severity', 'temporal_score', 'environmental_score'],
  answer({ vector }) {
    const parsed = parseCvss3Vector(vector);
    const score = scoreVector(parsed);
    const words = describeBaseMetrics(parsed) as BaseMetricsV3;
    const version = score.version as '3.0' | '3.1';
    return {
      version,
      vector: score.vector,
      base_score: score.base_score,
      base_severity: score.base_severity,
      metrics: { ...words },
      temporal_score: score.temporal_score,
      environmental_score: score.environmental_score,
      summary: joinSummary(
        `CVSS ${version} base score ${score.base_score} (${score.base_severity}):`,
        `attack vector ${words.attack_vector}, complexity ${words.attack_complexity}, privileges ${words.privileges_required}, user interaction ${words.user_interaction}, scope ${words.scope}.`,
      ),
    };
  },
});

function parseCvss3Vector(text: string): string {
  try {
    const { version, vector } = parseCvssVector(text.trim());
    if (version !== '3.0' && version !== '3.1') throw unsupportedVersionError(version);
    return vector;
  } catch (error) {
    if (error instanceof CvssVectorError) {
      const accepted = error.message.includes(EXAMPLE_VECTOR)
        ? ''
        : ` Accepted here: v3.0 and v3.1, for example ${EXAMPLE_VECTOR}.`;
      throw new ApiError('invalid_argument', `${error.message}${accepted}`);
    }
    throw error;
  }
}

function unsupportedVersionError(version: string): ApiError {
  return new ApiError(
    'invalid_argument',
    `This is a CVSS v${version} vector. Accepted: v3.0 and v3.1, for example ${EXAMPLE_VECTOR}.`,
  );
}

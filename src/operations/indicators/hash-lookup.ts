import { z } from 'zod';
import { detectHashType } from '../../analysis/indicators/parse-indicator.ts';
import { malwarebazaar } from '../../sources/malwarebazaar.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { identifierSchema } from '../../engine/input/identifiers.ts';
import { joinSummary } from '../../engine/summary.ts';
import { ListingStatus, listingStatusOf } from './lib/listing-status.ts';

const FileHash = identifierSchema({
  read: (text) => (detectHashType(text) === null ? null : text.toLowerCase()),
  name: 'file hash',
  accepted: 'an MD5, SHA-1 or SHA-256 as 32, 40 or 64 hexadecimal digits',
  example: '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
  pattern: /[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}/,
});

export const hashLookup = defineOperation({
  id: 'hash_lookup',
  area: 'indicators',
  title: 'Malware sample by hash',
  description: 'Whether MalwareBazaar has a malware sample with an MD5, SHA-1 or SHA-256, and what it is.',
  route: 'GET /v1/hash/:file_hash',
  subject: { kind: 'hash', field: 'file_hash' },
  input: z.strictObject({ file_hash: FileHash }),
  output: lookupOutputSchema('FileHash', {
    hash: z.string(),
    hash_type: z.enum(['md5', 'sha1', 'sha256']),
    found: z.boolean().nullable().meta({ description: 'null: MalwareBazaar was not asked or did not answer.' }),
    status: ListingStatus,
    malware_family: ForeignText.nullable(),
    file_type: ForeignText.nullable(),
    file_size: z.number().int().nullable(),
    first_seen: z.string().nullable(),
    tags: z.array(ForeignText).nullable(),
    file_name: ForeignText.nullable(),
    sha256: z.string().nullable(),
  }),
  cost: 1,
  examples: [
    {
      title: 'A SHA-256',
      input: { file_hash: '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f' },
    },
  ],
  tool: {
    description:
      'What malware a file hash (MD5, SHA-1, SHA-256) belongs to. Whether other lists name it too: ioc_lookup.',
    openWorld: true,
  },
  falsifiableFields: ['found', 'malware_family', 'first_seen'],
  async answer({ file_hash: hash }, context) {
    const type = detectHashType(hash)!;
    const outcome = await context.ask(malwarebazaar, { hash });
    const sample = outcome.status === 'ok' ? outcome.found : null;
    const status = listingStatusOf(outcome);
    return {
      hash,
      hash_type: type,
      found: outcome.status === 'ok' ? sample !== null : null,
      status,
      malware_family: sample?.malware ?? null,
      file_type: sample?.file_type ?? null,
      file_size: sample?.file_size ?? null,
      first_seen: sample?.first_seen ?? null,
      tags: outcome.status === 'ok' ? (sample?.tags ?? []) : null,
      file_name: sample?.file_name ?? null,
      sha256: sample?.sha256 ?? null,
      summary: joinSummary(`${hash}: ${STATUS_PHRASES[status]}`, sample !== null && describeSample(sample)),
    };
  },
  nextCalls: ({ hash }) => [{ tool: 'ioc_lookup', input: hash, reason: 'Whether ThreatFox names it too.' }],
});

const STATUS_PHRASES = {
  listed: 'a malware sample at MalwareBazaar.',
  not_listed: 'MalwareBazaar has no such sample, which does not make it harmless.',
  not_configured: 'not known: MalwareBazaar needs a key, and none is configured.',
  unavailable: 'not known: MalwareBazaar did not answer.',
};

function describeSample(sample: {
  malware: string | null;
  file_type: string | null;
  first_seen: string | null;
}): string {
  const seen = sample.first_seen === null ? '' : `, first seen ${sample.first_seen.slice(0, 10)}`;
  return `${sample.malware ?? 'No family named'} (${sample.file_type ?? 'type not known'})${seen}.`;
}

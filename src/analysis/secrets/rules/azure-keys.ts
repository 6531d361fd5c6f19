import type { SecretRule } from '../secret-rule.ts';

interface AzureKind {
  readonly id: string;
  readonly what: string;
  /** The mark in the key, and how many characters stand before it. */
  readonly mark: string;
  readonly before: number;
  readonly after: string;
  readonly alphabet: string;
  readonly example: string;
}

/** Azure's identifiable keys: a mark at a fixed place says which service issued them (microsoft/security-utilities). */
const AZURE_KEYS: readonly AzureKind[] = [
  {
    id: 'azure_function_key',
    what: 'Functions key',
    mark: 'AzFu',
    before: 44,
    after: '[\\w-]{6}==',
    alphabet: '[\\w-]',
    example: '{n:44}AzFu{n:6}==',
  },
  {
    id: 'azure_search_key',
    what: 'AI Search key',
    mark: 'AzSe',
    before: 42,
    after: '[A-D][A-Za-z0-9]{5}',
    alphabet: '[A-Za-z0-9]',
    example: '{n:42}AzSeA{n:5}',
  },
  {
    id: 'azure_registry_key',
    what: 'Container Registry key',
    mark: '+ACR',
    before: 42,
    after: '[A-D][A-Za-z0-9+/]{5}',
    alphabet: '[A-Za-z0-9+/]',
    example: '{n:42}+ACRA{n:5}',
  },
  {
    id: 'azure_cosmos_key',
    what: 'Cosmos DB key',
    mark: 'ACDb',
    before: 76,
    after: '[A-Za-z0-9+/]{6}==',
    alphabet: '[A-Za-z0-9+/]',
    example: '{n:76}ACDb{n:6}==',
  },
  {
    id: 'azure_cache_key',
    what: 'Cache for Redis key',
    mark: 'AzCa',
    before: 33,
    after: '[A-P][A-Za-z0-9]{5}=',
    alphabet: '[A-Za-z0-9]',
    example: '{n:33}AzCaB{n:5}=',
  },
  {
    id: 'azure_ai_key',
    what: 'AI services key',
    mark: 'JQQJ99',
    before: 52,
    after: '[A-Za-z0-9]{26}',
    alphabet: '[A-Za-z0-9]',
    example: '{n:52}JQQJ99{n:26}',
  },
];

export const AZURE_KEY_RULES: readonly SecretRule[] = AZURE_KEYS.map(
  ({ id, what, mark, before, after, alphabet, example }): SecretRule => ({
    id,
    issuer: 'Azure',
    secretName: what,
    severity: 'CRITICAL',
    keywords: [mark.toLowerCase()],
    mayBeginAt: (code, at) => code.startsWith(mark, at + before),
    leadLength: before,
    pattern: new RegExp(`(?<![\\w+/=-])(${alphabet}{${before}}${RegExp.escape(mark)}${after})(?![\\w+/=-])`, 'y'),
    minEntropy: 3.5,
    example,
  }),
);

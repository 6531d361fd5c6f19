import { isPlaceholder } from '../placeholder.ts';
import { readPattern } from '../read-pattern.ts';
import type { SecretRule } from '../secret-rule.ts';

/** Keys of wallets of cryptocurrencies. */
export const WALLET_RULES: readonly SecretRule[] = [
  {
    id: 'ethereum_private_key',
    issuer: null,
    secretName: 'Private key of an Ethereum account',
    severity: 'CRITICAL',
    readers: [
      readPattern(
        'ethereum_private_key',
        ['accounts'],
        /accounts["']?\s{0,4}:\s{0,4}\[\s{0,40}["'](?:0x)?([0-9a-fA-F]{64})["']/y,
        (value) => (isPlaceholder(value) ? null : { severity: 'CRITICAL' }),
      ),
    ],
    example: 'accounts: ["0x{h:64}"]',
  },
  {
    id: 'seed_phrase',
    issuer: null,
    secretName: 'Seed phrase of a wallet',
    severity: 'CRITICAL',
    readers: [
      readPattern(
        'seed_phrase',
        ['mnemonic', 'seed_phrase', 'seedphrase', 'seed phrase', 'recovery phrase', 'secret_phrase'],
        /[a-zA-Z]{4,12}[_ ]?(?:phrase)?["']?[ \t]{0,4}(?::=|[:=,(]|is)[ \t]{0,4}["'`]?((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8})(?![a-z ])/y,
        // The phrases of test networks repeat one word.
        (value) => (new Set(value.split(' ')).size >= 10 ? { severity: 'CRITICAL' } : null),
      ),
    ],
    example: 'MNEMONIC="{words}"',
  },
];

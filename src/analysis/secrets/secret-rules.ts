import type { SecretRule } from './secret-rule.ts';
import { AI_RULES } from './rules/ai-providers.ts';
import { ASSIGNMENT_RULES } from './rules/assignments.ts';
import { CALL_RULES } from './rules/calls.ts';
import { COMMAND_LINE_RULES } from './rules/command-line.ts';
import { CONNECTION_RULES } from './rules/connections.ts';
import { FILE_RULES } from './rules/files.ts';
import { HEADER_RULES } from './rules/headers.ts';
import { WALLET_RULES } from './rules/wallets.ts';
import { KUBERNETES_RULES } from './rules/kubernetes.ts';
import { NETWORK_DEVICE_RULES } from './rules/network-devices.ts';
import { SQL_RULES } from './rules/sql.ts';
import { TABLE_RULES } from './rules/tables.ts';
import { CREDENTIALS_IN_USE_RULES } from './rules/credentials-in-use.ts';
import { CLOUD_RULES } from './rules/cloud.ts';
import { KEY_MATERIAL_RULES } from './rules/key-material.ts';
import { KEY_RULES } from './rules/keys.ts';
import { MESSAGING_RULES } from './rules/messaging.ts';
import { AZURE_KEY_RULES } from './rules/azure-keys.ts';
import { NAMED_KEY_RULES } from './rules/named-keys.ts';
import { PREFIXED_TOKEN_RULES } from './rules/prefixed-tokens.ts';
import { PAYMENT_RULES } from './rules/payment.ts';
import { SERVICE_RULES } from './rules/services.ts';
import { VCS_RULES } from './rules/version-control.ts';

/** All rules. If two match the same text, the first one makes the finding. */
export const SECRET_RULES: readonly SecretRule[] = [
  ...KEY_RULES,
  ...KEY_MATERIAL_RULES,
  ...CLOUD_RULES,
  ...VCS_RULES,
  ...AI_RULES,
  ...PAYMENT_RULES,
  ...MESSAGING_RULES,
  ...SERVICE_RULES,
  ...PREFIXED_TOKEN_RULES,
  ...AZURE_KEY_RULES,
  ...NAMED_KEY_RULES,
  ...CREDENTIALS_IN_USE_RULES,
  ...FILE_RULES,
  ...WALLET_RULES,
  ...CONNECTION_RULES,
  ...HEADER_RULES,
  ...KUBERNETES_RULES,
  ...SQL_RULES,
  ...COMMAND_LINE_RULES,
  ...CALL_RULES,
  ...NETWORK_DEVICE_RULES,
  ...ASSIGNMENT_RULES,
  ...TABLE_RULES,
];

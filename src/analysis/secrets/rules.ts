import type { SecretRule } from './rule.ts';
import { AI } from './rules/ai.ts';
import { ASSIGNMENTS } from './rules/assignments.ts';
import { CARRIED } from './rules/carried.ts';
import { CLOUD } from './rules/cloud.ts';
import { KEYS } from './rules/keys.ts';
import { MESSAGING } from './rules/messaging.ts';
import { PAYMENT } from './rules/payment.ts';
import { SERVICES } from './rules/services.ts';
import { VCS } from './rules/vcs.ts';

/** All rules. Of two that find the same, the one that stands first is the finding. */
export const SECRET_RULES: readonly SecretRule[] = [
  ...KEYS,
  ...CLOUD,
  ...VCS,
  ...AI,
  ...PAYMENT,
  ...MESSAGING,
  ...SERVICES,
  ...CARRIED,
  ...ASSIGNMENTS,
];

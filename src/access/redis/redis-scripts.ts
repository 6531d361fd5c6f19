import { defineScript } from '@redis/client';
import type { WindowState } from '../local-counters.ts';

/**
 * Counts in the window KEYS[1]: a positive amount takes tokens, a negative one gives them back, 0 reads. The clock is that of Redis.
 * `known` is the state of the window as this replica knows it, which Redis may have lost or missed.
 */
const COUNT_SCRIPT = `
local amount, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local whole, known, knownLeft = ARGV[4] == '1', tonumber(ARGV[5]), tonumber(ARGV[6])
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
local open = left > 0
if not open then used, left = 0, 0 end
local before = used
if knownLeft > 0 and known > used then
  used = known
  if not open then left = knownLeft end
end
local granted = 0
if amount > 0 then
  local free = math.max(0, limit - used)
  if amount <= free then granted = amount elseif not whole then granted = free end
  used = used + granted
elseif amount < 0 and left > 0 then
  used = math.max(0, used + amount)
end
if used ~= before then
  if left <= 0 then left = window end
  if open then redis.call('SET', KEYS[1], used, 'KEEPTTL') else redis.call('SET', KEYS[1], used, 'PX', left) end
end
if left > window then
  left = window
  redis.call('PEXPIRE', KEYS[1], left)
end
return {granted, used, left}`;

/** State of a window after the call. */
export interface CountResult extends WindowState {
  granted: number;
}

export interface CountRequest {
  amount: number;
  limit: number;
  windowMs: number;
  allOrNothing: boolean;
  knownState: WindowState;
}

/** Lua scripts: counting in a window, and releasing or renewing a lock that is held. */
export const REDIS_SCRIPTS = {
  count: defineScript({
    SCRIPT: COUNT_SCRIPT,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, { amount, limit, windowMs, allOrNothing, knownState }: CountRequest) {
      parser.pushKey(key);
      const numbers = [amount, limit, windowMs, allOrNothing ? 1 : 0, knownState.used, Math.ceil(knownState.leftMs)];
      parser.push(...numbers.map(String));
    },
    transformReply: ([granted, used, leftMs]: [number, number, number]): CountResult => ({ granted, used, leftMs }),
  }),
  release: defineLockScript(`return redis.call('DEL', KEYS[1])`),
  renew: defineLockScript(`return redis.call('PEXPIRE', KEYS[1], ARGV[2])`),
};

/** A script that acts only where the key KEYS[1] holds the lock id ARGV[1]; true where it did. */
function defineLockScript(action: string) {
  return defineScript({
    SCRIPT: `if redis.call('GET', KEYS[1]) == ARGV[1] then ${action} end return 0`,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, lockId: string, ...parameters: number[]) {
      parser.pushKey(key);
      parser.push(lockId, ...parameters.map(String));
    },
    transformReply: (changed: number) => changed === 1,
  });
}

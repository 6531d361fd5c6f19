import type { Candidate } from './rule.ts';

/** Names of what is public, of no use to anyone else, or about a secret rather than one; they stand before the keyword. */
const HARMLESS =
  /(?:public|publickey|publishable|pub|csrf|xsrf|forgery|page|next|prev|continuation|pagination|cursor|cancel|cancellation|lock|change|update|wait|idempotency|sync|site|bucket|sort|search|device|push|stop|symbol|syntax|design|color|lex|parse|start|end|last|current|expected|invalid|hash|hashed|bcrypt|encrypted|sealed)[_.-]?$/i;
const LOOK_BACK = 40;
/** The name up to the keyword, as far as it reaches back. */
function nameBefore({ code, at }: Candidate): string {
  return /[\w.-]{0,40}$/.exec(code.slice(Math.max(0, at - LOOK_BACK), at))![0];
}

/** Of the name that the keyword ends. `A::B::ApiKey` is a type, `arn:...:secret:name` an address. */
export function isHarmless(candidate: Candidate): boolean {
  const { code, at } = candidate;
  return HARMLESS.test(nameBefore(candidate)) || /:\w{0,30}$/.test(code.slice(Math.max(0, at - LOOK_BACK), at));
}

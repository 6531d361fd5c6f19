import { isCommonPassword, isPlaceholder } from './placeholder.ts';

/** `user:password`; the password is null where there is no colon. */
export function splitUserPassword(text: string): [user: string, password: string | null] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text, null] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** Whether a pair of user and password is one of documentation. */
export function isExampleCredential(user: string, password: string): boolean {
  if (password === '') return user === '' || isPlaceholder(user);
  return user === password || isCommonPassword(password) || isPlaceholder(password) || isPlaceholder(user);
}

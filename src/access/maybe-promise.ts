/** Here at once, or later: what an engine in this process gives, or one elsewhere. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on at once where the value is here: no promise, no tick of the event loop. */
export function mapMaybePromise<T, U>(value: MaybePromise<T>, use: (value: T) => U): MaybePromise<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** A value, or a promise of it: embedded backends answer synchronously. */
export type MaybePromise<T> = T | Promise<T>;

/** Like `then`, but synchronous for a value: no promise, no tick of the event loop. */
export function mapMaybePromise<T, U>(value: MaybePromise<T>, map: (value: T) => U): MaybePromise<U> {
  return value instanceof Promise ? value.then(map) : map(value);
}

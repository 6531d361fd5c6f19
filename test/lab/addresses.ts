import { createHash } from 'node:crypto';

/** The lab pretends to be in a part of the public address space: none of it is ever really dialled. */
export const LAB_PREFIX = '5.57.0.0/16';
export const LAB_PREFIX6 = '2a00:5700::/32';
export const LAB_ASN = '215000';

/** The address of a host of the lab: by its name alone, the same in every lab. Third bytes from 240 are left to `zones.ts`. */
export function addressOf(host: string): string {
  const [first, second] = createHash('sha256').update(host).digest() as unknown as [number, number];
  return `5.57.${first % 240}.${1 + (second % 254)}`;
}

export function address6Of(host: string): string {
  const digest = createHash('sha256').update(host).digest('hex');
  return `2a00:5700::1${digest.slice(0, 3)}:1${digest.slice(3, 6)}`;
}

export function inLab(address: string): boolean {
  return address.startsWith('5.57.') || address.startsWith('2a00:5700:');
}

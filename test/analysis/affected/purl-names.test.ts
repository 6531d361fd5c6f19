import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSubject, type Subject } from '../../../src/analysis/affected/subject.ts';
import { underNamesOfPurl } from '../../../src/engine/other-product-names.ts';

/** As purl2cpe has them for pkg:pypi/protobuf. */
const PROTOBUF = [
  'protobuf',
  'protobuf-cpp',
  'protobuf-java',
  'protobuf-javalite',
  'protobuf-kotlin-lite',
  'protobuf-python',
];

function namesFor(purl: string, products: string[]): string[] {
  const subject = createSubject({ purl }) as Subject;
  const productsOfPurl = () => products.map((product) => ({ vendor: 'google', product }));
  return underNamesOfPurl(subject, { productsOfPurl }).map(
    ({ names, isSharedName }) => `${names!.tokens[0]}${isSharedName === true ? ' (shared)' : ''}`,
  );
}

test('CPE names of a package leave out those of other languages, and mark the one that all share', () => {
  assert.deepEqual(namesFor('pkg:pypi/protobuf@4.25.5', PROTOBUF), ['protobuf (shared)', 'protobuf-python']);
  const java = namesFor('pkg:maven/com.google.protobuf/protobuf-java@3.25.5', PROTOBUF);
  assert.deepEqual(java, ['protobuf (shared)', 'protobuf-java', 'protobuf-javalite', 'protobuf-kotlin-lite']);
});

test('a language in the name of the package itself is no other one, nor is a word that is none', () => {
  assert.deepEqual(namesFor('pkg:npm/react-native-go@1.0.0', ['react-native-go', 'node-fetch']), [
    'react-native-go',
    'node-fetch',
  ]);
  assert.deepEqual(namesFor('pkg:gem/rails@6.1.4', ['rails', 'ruby_on_rails', 'action_view']), [
    'rails',
    'ruby_on_rails',
    'action_view',
  ]);
  assert.deepEqual(namesFor('pkg:deb/debian/protobuf@3.21.12?distro=debian-12', PROTOBUF), []);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isNamedAsPackage, namesOfMavenPackage } from '../../../src/analysis/identity/maven-products.ts';

/** CPE names of the NVD's dictionary for the products that these artifacts are parts of. */
const OF_PRODUCT: readonly [coordinates: string, vendor: string, product: string][] = [
  ['org.apache.struts:struts2-core', 'apache', 'struts'],
  ['org.apache.commons:commons-text', 'apache', 'commons_text'],
  ['org.apache.commons:commons-lang3', 'apache', 'commons_lang'],
  ['org.apache.logging.log4j:log4j-web', 'apache', 'log4j'],
  ['org.eclipse.jetty:jetty-util', 'eclipse', 'jetty'],
  ['io.netty:netty-buffer', 'netty', 'netty'],
  ['com.google.code.gson:gson', 'google', 'gson'],
  ['org.jenkins-ci.plugins:git', 'jenkins', 'git'],
  ['com.fasterxml.jackson.core:jackson-databind', 'fasterxml', 'jackson-databind'],
];
/** Artifacts that are not the product which a word of them names, and number their own releases. */
const OF_NO_PRODUCT: readonly [coordinates: string, product: string][] = [
  ['org.apache.maven.plugins:maven-compiler-plugin', 'maven'],
  ['org.mongodb:mongodb-driver-core', 'mongodb'],
  ['com.fasterxml.jackson.core:jackson-annotations', 'jackson-databind'],
];

describe('CPE names that Maven coordinates suggest', () => {
  for (const [coordinates, vendor, product] of OF_PRODUCT) {
    test(`${coordinates}: ${vendor}:${product}`, () => {
      const { vendors, products } = namesOfMavenPackage(coordinates);
      assert.ok(vendors.includes(vendor), vendors.join());
      assert.ok(products.includes(product), products.join());
    });
  }

  for (const [coordinates, product] of OF_NO_PRODUCT) {
    test(`${coordinates} is no ${product}`, () => {
      assert.ok(!namesOfMavenPackage(coordinates).products.includes(product));
    });
  }

  test('a product with the name of the group or of the artifact is told from others of the same CVE', () => {
    assert.equal(isNamedAsPackage('spring_framework', 'org.springframework:spring-jcl'), true);
    assert.equal(isNamedAsPackage('spring_security', 'org.springframework.security:spring-security-core'), true);
    assert.equal(isNamedAsPackage('retail_xstore_point_of_service', 'org.springframework:spring-jcl'), false);
    assert.equal(isNamedAsPackage('cx_cloud_agent', 'org.springframework:spring-jcl'), false);
  });
});

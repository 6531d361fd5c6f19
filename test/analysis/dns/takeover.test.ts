import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assessTakeover } from '../../../src/analysis/dns/assess-takeover.ts';
import { findTakeoverService, TAKEOVER_SERVICES } from '../../../src/analysis/dns/takeover-services.ts';

describe('services whose names can be taken over', () => {
  for (const [alias, service] of [
    ['shop.myshopify.com', 'Shopify'],
    ['old-campaign.s3.amazonaws.com', 'Amazon S3'],
    ['old-campaign.s3-website-us-east-1.amazonaws.com', 'Amazon S3'],
    ['old-campaign.s3-website.eu-central-1.amazonaws.com', 'Amazon S3'],
    ['team.github.io', 'GitHub Pages'],
    ['app.azurewebsites.net', 'Azure App Service'],
    ['ghs.googlehosted.com', 'Google Sites'],
    ['github.io', null],
    ['ec2-192-0-2-1.compute.amazonaws.com', null],
    ['notgithub.io', null],
    ['www.example.com', null],
  ] as const)
    test(alias, () => assert.equal(findTakeoverService(alias)?.service ?? null, service));

  test('each has a sign', () => {
    for (const { service, aliases, nxdomain, pageText } of TAKEOVER_SERVICES) {
      assert.ok(nxdomain !== (pageText !== null), service);
      for (const alias of aliases) assert.match(alias, /^[a-z0-9.*-]+\.[a-z]+$/, service);
    }
  });
});

describe('a takeover', () => {
  const facts = { alias: 'app.azure-api.net', exists: true, registrableExists: null, pageText: null };
  for (const [what, changes, certainty] of [
    ['the name at the service does not exist', { exists: false }, 'high'],
    ['at a service that asks for proof', { exists: false, alias: 'app.azurewebsites.net' }, 'medium'],
    [
      'the page says that nobody has claimed it',
      { alias: 'x.s3.amazonaws.com', pageText: '<Message>The specified bucket does not exist</Message>' },
      'high',
    ],
    ['the page is one like any other', { alias: 'x.s3.amazonaws.com', pageText: 'Welcome' }, null],
    ['the name exists, and the sign would be that it does not', {}, null],
    ['the domain of the alias is free', { alias: 'cdn.gone.example', exists: false, registrableExists: false }, 'high'],
    ['an alias that leads nowhere', { alias: 'cdn.there.example', exists: false, registrableExists: true }, 'low'],
  ] as const)
    test(what, () => assert.equal(assessTakeover({ ...facts, ...changes })?.certainty ?? null, certainty));
});

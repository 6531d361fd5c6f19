import {
  type SecretCandidate,
  type SecretAssessment,
  defineNamedValueRule,
  type SecretRule,
  defineTokenRule,
} from '../secret-rule.ts';

function assessUnlessTestKey({ secret }: SecretCandidate): SecretAssessment {
  return /test|sandbox/i.test(secret.slice(0, 24))
    ? { severity: 'LOW', note: 'A key of the test mode: it moves no money.' }
    : { severity: 'CRITICAL' };
}

/** Payment and commerce. */
export const PAYMENT_RULES: readonly SecretRule[] = [
  defineTokenRule(
    'stripe_secret_key',
    ['Stripe', 'secret or restricted key', 'CRITICAL'],
    ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
    '[A-Za-z0-9]{16,247}',
    'sk_live_{n:99}',
    { assess: assessUnlessTestKey },
  ),
  defineTokenRule(
    'stripe_webhook_secret',
    ['Stripe', 'webhook signing secret', 'HIGH'],
    'whsec_',
    '[A-Za-z0-9+/=]{32,64}',
    'whsec_{n:32}',
  ),
  defineTokenRule(
    'square_access_token',
    ['Square', 'access token', 'CRITICAL'],
    ['sq0atp-', 'EAAAE', 'EAAAl'],
    '[\\w-]{22,60}',
    'sq0atp-{n:22}',
    { standsAlone: true, minEntropy: 3.5 },
  ),
  defineTokenRule(
    'square_oauth_secret',
    ['Square', 'OAuth secret', 'CRITICAL'],
    'sq0csp-',
    '[\\w-]{43}',
    'sq0csp-{n:43}',
  ),
  defineTokenRule(
    'braintree_access_token',
    ['Braintree', 'access token', 'CRITICAL'],
    'access_token$',
    '(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}',
    'access_token$production${l:16}${h:32}',
    { assess: assessUnlessTestKey },
  ),
  defineNamedValueRule(
    'paypal_client_secret',
    ['PayPal', 'client secret', 'HIGH'],
    ['paypal'],
    '(?-i:E[A-P])[\\w-]{78}',
    'PAYPAL_CLIENT_SECRET=EL{n:78}',
    { minEntropy: 3.8 },
  ),
  defineTokenRule(
    'shopify_token',
    ['Shopify', 'token', 'CRITICAL'],
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    '[a-zA-Z0-9]{32}',
    'shpat_{h:32}',
  ),
  defineNamedValueRule(
    'plaid_secret',
    ['Plaid', 'secret', 'CRITICAL'],
    ['plaid_secret', 'plaidsecret', 'plaid-secret'],
    '[a-z0-9]{30}',
    'PLAID_SECRET={h:30}',
  ),
  defineNamedValueRule(
    'plaid_access_token',
    ['Plaid', 'access token', 'CRITICAL'],
    ['plaid'],
    'access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    'PLAID_TOKEN=access-production-{uuid}',
  ),
  defineTokenRule(
    'flutterwave_secret_key',
    ['Flutterwave', 'secret key', 'CRITICAL'],
    ['FLWSECK-', 'FLWSECK_TEST-'],
    '[a-hA-H0-9]{12,32}(?:-X)?',
    'FLWSECK-{h:32}-X',
    { assess: assessUnlessTestKey },
  ),
  defineTokenRule(
    'razorpay_key',
    ['Razorpay', 'key id', 'MEDIUM'],
    ['rzp_live_', 'rzp_test_'],
    '[A-Za-z0-9]{14}',
    'rzp_live_{n:14}',
    { assess: ({ secret }) => ({ severity: secret.startsWith('rzp_live_') ? 'MEDIUM' : 'LOW' }) },
  ),
  defineTokenRule('mollie_api_key', ['Mollie', 'API key', 'CRITICAL'], 'live_', '[A-Za-z0-9]{30}', 'live_{n:30}', {
    standsAlone: true,
    minEntropy: 3.8,
  }),
  defineTokenRule(
    'easypost_api_key',
    ['EasyPost', 'API key', 'HIGH'],
    ['EZAK', 'EZTK'],
    '[A-Za-z0-9]{54}',
    'EZAK{n:54}',
    {
      standsAlone: true,
      assess: ({ secret }) => ({ severity: secret.startsWith('EZTK') ? 'LOW' : 'HIGH' }),
    },
  ),
  defineTokenRule(
    'shippo_token',
    ['Shippo', 'API token', 'HIGH'],
    ['shippo_live_', 'shippo_test_'],
    '[a-f0-9]{40}',
    'shippo_live_{h:40}',
    { assess: ({ secret }) => ({ severity: secret.includes('test') ? 'LOW' : 'HIGH' }) },
  ),
  defineTokenRule(
    'duffel_token',
    ['Duffel', 'API token', 'HIGH'],
    ['duffel_live_', 'duffel_test_'],
    '[\\w=-]{43}',
    'duffel_live_{n:43}',
    { assess: ({ secret }) => ({ severity: secret.includes('test') ? 'LOW' : 'HIGH' }) },
  ),
  defineTokenRule(
    'lob_api_key',
    ['Lob', 'API key', 'MEDIUM'],
    ['live_pub_', 'test_pub_'],
    '[a-f0-9]{31}',
    'live_pub_{h:31}',
  ),
  defineNamedValueRule(
    'coinbase_secret',
    ['Coinbase', 'secret', 'CRITICAL'],
    ['coinbase'],
    '[a-z0-9_-]{64}',
    'COINBASE_SECRET={n:64}',
    { minEntropy: 3.8 },
  ),
  defineNamedValueRule(
    'kraken_secret',
    ['Kraken', 'secret', 'CRITICAL'],
    ['kraken'],
    '[a-z0-9/=_+-]{80,90}',
    'KRAKEN_SECRET={b:86}==',
    { minEntropy: 3.8 },
  ),
];

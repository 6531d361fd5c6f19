import type { Severity } from '../../severity.ts';
import { defineNamedValueRule, defineTokenRule, type SecretRule } from '../secret-rule.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

type TokenRow = readonly [
  id: string,
  issuer: string,
  what: string,
  severity: Severity,
  prefix: string | readonly string[],
  body: string,
  example: string,
];

/** Tokens that their issuers begin with letters of their own. */
const TOKENS: readonly TokenRow[] = [
  ['anthropic_session_token', 'Anthropic', 'session token', 'HIGH', 'sk-ant-sid01-', '[\\w-]{80,120}', 'sk-ant-sid01-{n:95}'],
  ['google_gemini_key', 'Google', 'API key', 'HIGH', 'AQ.Ab', '[\\w-]{45,55}', 'AQ.Ab{n:48}'],
  ['fireworks_api_key', 'Fireworks AI', 'API key', 'HIGH', 'fw_', '[A-Za-z0-9]{22,24}', 'fw_{n:24}'],
  ['cerebras_api_key', 'Cerebras', 'API key', 'HIGH', 'csk-', '[a-z0-9]{48}', 'csk-{l:48}'],
  ['jina_api_key', 'Jina AI', 'API key', 'HIGH', 'jina_', '[a-f0-9]{32}[\\w-]{28}', 'jina_{h:32}{n:28}'],
  ['voyage_api_key', 'Voyage AI', 'API key', 'HIGH', 'pa-', '[\\w-]{43}', 'pa-{n:43}'],
  ['together_v1_key', 'Together AI', 'API key', 'HIGH', 'tgp_v1_', '[\\w-]{43}', 'tgp_v1_{n:43}'],
  ['anyscale_api_key', 'Anyscale', 'API key', 'HIGH', 'esecret_', '[a-z0-9]{26,40}', 'esecret_{l:26}'],
  ['e2b_api_key', 'E2B', 'API key', 'HIGH', 'e2b_', '[0-9a-f]{40}', 'e2b_{h:40}'],
  ['browserbase_api_key', 'Browserbase', 'API key', 'HIGH', 'bb_live_', '[\\w-]{27}', 'bb_live_{n:27}'],
  ['cartesia_api_key', 'Cartesia', 'API key', 'HIGH', 'sk_car_', '[\\w-]{20,40}', 'sk_car_{n:22}'],
  ['langsmith_legacy_key', 'LangSmith', 'API key', 'HIGH', 'ls__', '[a-f0-9]{32}', 'ls__{h:32}'],
  ['vercel_blob_token', 'Vercel', 'Blob token', 'CRITICAL', 'vercel_blob_rw_', '[A-Za-z0-9]{16}_[A-Za-z0-9]{28,34}', 'vercel_blob_rw_{n:16}_{n:30}'],
  ['vercel_prefixed_token', 'Vercel', 'token', 'CRITICAL', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], '[A-Za-z0-9]{24,64}', 'vcp_{n:56}'],
  ['digitalocean_spaces_key', 'DigitalOcean', 'Spaces access key id', 'MEDIUM', 'DO00', '[A-Z0-9]{16}', 'DO00{u:16}'],
  ['exoscale_key', 'Exoscale', 'API key', 'HIGH', 'EXO', '[a-f0-9]{24}', 'EXO{h:24}'],
  ['infisical_token', 'Infisical', 'service token', 'CRITICAL', 'st.', '[a-f0-9-]{24,36}\\.[a-f0-9]{32}\\.[a-f0-9]{32}', 'st.{h:24}.{h:32}.{h:32}'],
  ['buildkite_agent_token', 'Buildkite', 'agent token', 'HIGH', ['bkct_', 'bkat_', 'bkpt_'], '[A-Za-z0-9]{40,60}', 'bkct_{n:50}'],
  ['octopus_api_key', 'Octopus Deploy', 'API key', 'HIGH', 'API-', '[A-Z0-9]{26,32}', 'API-{u:28}'],
  ['trello_token', 'Trello', 'token', 'HIGH', 'ATTA', '[a-f0-9]{64}[A-F0-9]{8}', 'ATTA{h:64}{d:8}'],
  ['slack_session_token', 'Slack', 'session token', 'CRITICAL', 'xoxc-', '(?:\\d{8,14}-){3}[a-f0-9]{64}', 'xoxc-{d:12}-{d:12}-{d:12}-{h:64}'],
  ['slack_session_cookie', 'Slack', 'session cookie', 'CRITICAL', 'xoxd-', '[\\w%+/=-]{80,400}', 'xoxd-{n:140}'],
  ['mandrill_api_key', 'Mandrill', 'API key', 'HIGH', 'md-', '[\\w-]{22}', 'md-{n:22}'],
  ['onesignal_api_key', 'OneSignal', 'API key', 'HIGH', ['os_v2_app_', 'os_v2_org_'], '[a-z0-9]{60,110}', 'os_v2_app_{l:103}'],
  ['telnyx_api_key', 'Telnyx', 'API key', 'HIGH', 'KEY', '[0-9A-F]{32}_[A-Za-z0-9]{22}', 'KEY{d:32}_{n:22}'],
  ['pubnub_secret_key', 'PubNub', 'secret key', 'HIGH', 'sec-c-', '[A-Za-z0-9+/=]{48}', 'sec-c-{n:48}'],
  ['adyen_api_key', 'Adyen', 'API key', 'CRITICAL', 'AQE', '[a-z][A-Za-z0-9+/]{80,240}=*-[A-Za-z0-9+/=]{20,60}-[\\x21-\\x7e]{10,24}', 'AQEy{n:100}-{n:43}=-{n:16}'],
  ['gocardless_token', 'GoCardless', 'access token', 'CRITICAL', 'live_', '[\\w-]{39}[\\w=]', 'live_{n:40}'],
  ['checkout_secret_key', 'Checkout.com', 'secret key', 'CRITICAL', ['sk_sbox_', 'sk_sbx_'], '[a-z0-9]{26}[a-z0-9*#$=]', 'sk_sbox_{l:27}'],
  ['paddle_api_key', 'Paddle', 'API key', 'CRITICAL', ['pdl_live_apikey_', 'pdl_sdbx_apikey_'], '[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}', 'pdl_live_apikey_{l:26}_{n:22}_{n:3}'],
  ['woocommerce_key', 'WooCommerce', 'REST key', 'HIGH', ['ck_', 'cs_'], '[a-f0-9]{40}', 'cs_{h:40}'],
  ['amazon_mws_token', 'Amazon', 'MWS token', 'HIGH', 'amzn.mws.', UUID, 'amzn.mws.{uuid}'],
  ['amazon_oauth_secret', 'Amazon', 'OAuth client secret', 'HIGH', 'amzn1.oa2-cs.v1.', '[a-f0-9]{64}', 'amzn1.oa2-cs.v1.{h:64}'],
  ['elastic_cloud_key', 'Elastic Cloud', 'API key', 'CRITICAL', 'essu_', '[A-Za-z0-9+/=]{60,120}', 'essu_{n:80}'],
  ['statsig_secret', 'Statsig', 'server secret', 'HIGH', 'secret-', '[A-Za-z0-9]{43}', 'secret-{n:43}'],
  ['stytch_secret', 'Stytch', 'secret', 'HIGH', ['secret-live-', 'secret-test-'], '[\\w-]{35,36}=?', 'secret-live-{n:36}'],
  ['clickup_token', 'ClickUp', 'personal token', 'HIGH', 'pk_', '\\d{6,9}_[A-Z0-9]{32}', 'pk_{d:8}_{u:32}'],
  ['klaviyo_private_key', 'Klaviyo', 'private API key', 'HIGH', 'pk_', '[a-f0-9]{34}', 'pk_{h:34}'],
  ['dbt_token', 'dbt Cloud', 'token', 'HIGH', ['dbtc_', 'dbtu_'], '[\\w-]{36,60}', 'dbtc_{n:43}'],
  ['retool_token', 'Retool', 'API token', 'HIGH', 'retool_01', '[a-z0-9]{24}', 'retool_01{l:24}'],
  ['fcm_server_key', 'Firebase', 'Cloud Messaging server key', 'HIGH', 'AAAA', '[\\w-]{7}:[\\w-]{140}', 'AAAA{n:7}:{n:140}'],
  ['expo_token', 'Expo', 'access token', 'HIGH', 'expo_', '[A-Za-z0-9]{40}', 'expo_{n:40}'],
  ['gitea_prefixed_token', 'Forgejo or Gitea', 'access token', 'HIGH', ['gta_', 'fgt_'], '[A-Za-z0-9]{40}', 'gta_{n:40}'],
  ['shopify_partner_token', 'Shopify', 'partner token', 'HIGH', ['prtapi_', 'shptka_', 'atkn_'], '[a-f0-9]{32,64}', 'prtapi_{h:32}'],
  ['zapier_webhook', 'Zapier', 'webhook', 'MEDIUM', 'hooks.zapier.com/hooks/catch/', '\\d{5,9}/[a-z0-9]{6,12}', 'https://hooks.zapier.com/hooks/catch/{d:7}/{l:7}'],
  ['cloudsmith_token', 'Cloudsmith', 'API key', 'HIGH', 'csa_', '[A-Za-z0-9]{40}', 'csa_{n:40}'],
  ['upcloud_token', 'UpCloud', 'API token', 'HIGH', 'ucat_', '[A-Z0-9]{26}', 'ucat_{u:26}'],
  ['rootly_token', 'Rootly', 'API key', 'HIGH', 'rootly_', '[a-f0-9]{64}', 'rootly_{h:64}'],
  ['snyk_prefixed_token', 'Snyk', 'service token', 'HIGH', ['snyk_uat.', 'snyk_sat.'], '[a-z0-9]{8}\\.[\\w.-]{40,400}', 'snyk_uat.{h:8}.{n:60}'],
  ['convex_key', 'Convex', 'deploy key', 'HIGH', 'prod:', '[a-z]{3,12}-[a-z]{3,12}-\\d{1,4}\\|[\\w+/=]{60,200}', 'prod:happy-otter-{d:3}|{n:80}'],
  ['polar_token', 'Polar', 'access token', 'HIGH', ['polar_oat_', 'polar_pat_'], '[A-Za-z0-9]{40,50}', 'polar_oat_{n:43}'],
];

type NamedRow = readonly [
  id: string,
  issuer: string,
  what: string,
  severity: Severity,
  words: readonly string[],
  value: string,
  example: string,
  minEntropy: number,
];

/** Values without a form of their own, by the name of their issuer. */
const NAMED: readonly NamedRow[] = [
  ['airtable_legacy_key', 'Airtable', 'API key', 'HIGH', ['airtable'], 'key[a-z0-9]{14}', 'AIRTABLE_API_KEY=key{n:14}', 2.8],
  ['twitter_api_key', 'X (Twitter)', 'API key', 'MEDIUM', ['twitter_api', 'twitter_consumer', 'twitter-api', 'twitterapi'], '[a-z0-9]{25}', 'TWITTER_API_KEY={n:25}', 3.2],
  ['deepgram_api_key', 'Deepgram', 'API key', 'HIGH', ['deepgram'], '[a-f0-9]{40}', 'DEEPGRAM_API_KEY={h:40}', 2.8],
  ['assemblyai_api_key', 'AssemblyAI', 'API key', 'HIGH', ['assemblyai', 'assembly_ai'], '[a-f0-9]{32}', 'ASSEMBLYAI_API_KEY={h:32}', 2.8],
  ['azure_openai_key', 'Azure', 'OpenAI key', 'CRITICAL', ['azure_openai', 'azureopenai', 'cognitive_services', 'ocp-apim-subscription'], '[a-f0-9]{32}', 'AZURE_OPENAI_API_KEY={h:32}', 2.8],
  ['railway_token', 'Railway', 'token', 'HIGH', ['railway'], UUID, 'RAILWAY_TOKEN={uuid}', 2.8],
  ['hetzner_token', 'Hetzner', 'API token', 'CRITICAL', ['hcloud', 'hetzner'], '[a-z0-9]{64}', 'HCLOUD_TOKEN={n:64}', 3.5],
  ['vultr_api_key', 'Vultr', 'API key', 'CRITICAL', ['vultr'], '[A-Z0-9]{36}', 'VULTR_API_KEY={u:36}', 3.2],
  ['gitea_token', 'Gitea', 'access token', 'HIGH', ['gitea', 'forgejo'], '[a-f0-9]{40}', 'GITEA_TOKEN={h:40}', 2.8],
  ['semgrep_token', 'Semgrep', 'app token', 'HIGH', ['semgrep'], '[a-f0-9]{64}', 'SEMGREP_APP_TOKEN={h:64}', 2.8],
  ['hex_api_key', 'Hex.pm', 'API key', 'HIGH', ['hex_api'], '[a-f0-9]{32}', 'HEX_API_KEY={h:32}', 2.8],
  ['splunk_token', 'Splunk', 'HEC token', 'HIGH', ['splunk'], UUID, 'SPLUNK_HEC_TOKEN={uuid}', 2.8],
  ['logzio_token', 'Logz.io', 'token', 'MEDIUM', ['logzio', 'logz_io'], '[A-Za-z]{32}', 'LOGZIO_TOKEN={a:32}', 3.5],
  ['todoist_token', 'Todoist', 'API token', 'HIGH', ['todoist'], '[a-f0-9]{40}', 'TODOIST_TOKEN={h:40}', 2.8],
  ['spotify_secret', 'Spotify', 'client secret', 'HIGH', ['spotify_client_secret', 'spotify_secret', 'spotifysecret', 'spotifyclientsecret'], '[a-f0-9]{32}', 'SPOTIFY_CLIENT_SECRET={h:32}', 2.8],
  ['virustotal_key', 'VirusTotal', 'API key', 'HIGH', ['virustotal', 'vt_api'], '[a-f0-9]{64}', 'VIRUSTOTAL_API_KEY={h:64}', 2.8],
  ['abuseipdb_key', 'AbuseIPDB', 'API key', 'MEDIUM', ['abuseipdb'], '[a-f0-9]{80}', 'ABUSEIPDB_KEY={h:80}', 2.8],
  ['openweather_key', 'OpenWeather', 'API key', 'LOW', ['openweather', 'owm_api'], '[a-f0-9]{32}', 'OPENWEATHER_API_KEY={h:32}', 2.8],
  ['binance_secret', 'Binance', 'secret key', 'CRITICAL', ['binance'], '[a-z0-9]{64}', 'BINANCE_SECRET_KEY={n:64}', 3.8],
  ['pushover_token', 'Pushover', 'token', 'MEDIUM', ['pushover'], '[a-z0-9]{30}', 'PUSHOVER_TOKEN={l:30}', 3.5],
  ['ably_api_key', 'Ably', 'API key', 'HIGH', ['ably'], '[\\w-]{6}\\.[\\w-]{6}:[\\w-]{43}', 'ABLY_API_KEY={n:6}.{n:6}:{n:43}', 3.5],
  ['tencent_secret_key', 'Tencent Cloud', 'secret key', 'CRITICAL', ['tencent', 'qcloud'], '[a-z0-9]{32}', 'TENCENT_SECRET_KEY={n:32}', 3.8],
  ['razorpay_secret', 'Razorpay', 'key secret', 'CRITICAL', ['razorpay_key_secret', 'razorpay_secret', 'razorpaysecret'], '[a-z0-9]{24}', 'RAZORPAY_KEY_SECRET={n:24}', 3.2],
];

interface AzureKind {
  readonly id: string;
  readonly what: string;
  /** The mark in the key, and how many characters stand before it. */
  readonly mark: string;
  readonly before: number;
  readonly after: string;
  readonly alphabet: string;
  readonly example: string;
}

/** Azure's identifiable keys: a mark at a fixed place says which service issued them (microsoft/security-utilities). */
const AZURE_KEYS: readonly AzureKind[] = [
  { id: 'azure_function_key', what: 'Functions key', mark: 'AzFu', before: 44, after: '[\\w-]{6}==', alphabet: '[\\w-]', example: '{n:44}AzFu{n:6}==' },
  { id: 'azure_search_key', what: 'AI Search key', mark: 'AzSe', before: 42, after: '[A-D][A-Za-z0-9]{5}', alphabet: '[A-Za-z0-9]', example: '{n:42}AzSeA{n:5}' },
  { id: 'azure_registry_key', what: 'Container Registry key', mark: '+ACR', before: 42, after: '[A-D][A-Za-z0-9+/]{5}', alphabet: '[A-Za-z0-9+/]', example: '{n:42}+ACRA{n:5}' },
  { id: 'azure_cosmos_key', what: 'Cosmos DB key', mark: 'ACDb', before: 76, after: '[A-Za-z0-9+/]{6}==', alphabet: '[A-Za-z0-9+/]', example: '{n:76}ACDb{n:6}==' },
  { id: 'azure_cache_key', what: 'Cache for Redis key', mark: 'AzCa', before: 33, after: '[A-P][A-Za-z0-9]{5}=', alphabet: '[A-Za-z0-9]', example: '{n:33}AzCaB{n:5}=' },
  { id: 'azure_ai_key', what: 'AI services key', mark: 'JQQJ99', before: 52, after: '[A-Za-z0-9]{26}', alphabet: '[A-Za-z0-9]', example: '{n:52}JQQJ99{n:26}' },
];

export const MORE_TOKEN_RULES: readonly SecretRule[] = [
  ...TOKENS.map(([id, issuer, what, severity, prefix, body, example]) =>
    defineTokenRule(id, [issuer, what, severity], prefix, body, example, { standsAlone: !prefix.includes('/'), minEntropy: 3 }),
  ),
  ...AZURE_KEYS.map(
    ({ id, what, mark, before, after, alphabet, example }): SecretRule => ({
      id,
      issuer: 'Azure',
      secretName: what,
      severity: 'CRITICAL',
      keywords: [mark.toLowerCase()],
      mayBeginAt: (code, at) => code.startsWith(mark, at + before),
      leadLength: before,
      pattern: new RegExp(`(?<![\\w+/=-])(${alphabet}{${before}}${RegExp.escape(mark)}${after})(?![\\w+/=-])`, 'y'),
      minEntropy: 3.5,
      example,
    }),
  ),
  ...NAMED.map(([id, issuer, what, severity, words, value, example, minEntropy]) =>
    defineNamedValueRule(id, [issuer, what, severity], words, value, example, { minEntropy }),
  ),
];

import { generateKeyPairSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Files with one secret each, and files that look like it and have none, for a comparison of tools that look for secrets. They are our own material: the
 * forms are those that the providers document, the values are random with a fixed seed (private keys are new each time), and none was ever in use. They are made when they are needed,
 * because a repository with them would be refused by those who look for secrets in it.
 */
export interface SeedFile {
  name: string;
  text: string;
}

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const HEX = `${DIGITS}abcdef`;
const BASE62 = `${DIGITS}${UPPER}${LOWER}`;
const BASE64 = `${BASE62}+/`;
const BASE64_URL = `${BASE62}-_`;

/** Random characters, the same in each run (mulberry32). */
function createRandomText(seed: number): (alphabet: string, length: number) => string {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (alphabet, length) => Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('');
}

/** GitHub's tokens end with the CRC-32 of what is before, in base 62. */
function withChecksum(prefix: string, body: string): string {
  let rest = crc32(body);
  let sum = '';
  for (let at = 0; at < 6; at++) {
    sum = BASE62[rest % 62]! + sum;
    rest = Math.floor(rest / 62);
  }
  return `${prefix}${body}${sum}`;
}

/** Files that have a secret. */
export function secretFiles(): SeedFile[] {
  const random = createRandomText(20261126);
  const awsId = `AKIA${random(`${UPPER}234567`, 16)}`;
  const awsSecret = random(BASE64, 40);
  const github = withChecksum('ghp_', random(BASE62, 30));
  const keyBody = Array.from({ length: 12 }, () => random(BASE64, 64)).join('\n');
  const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { privateKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const jwt = [
    base64('{"alg":"HS256","typ":"JWT"}').replaceAll('=', ''),
    base64(`{"sub":"${random(DIGITS, 10)}","role":"admin","iat":1767225600}`).replaceAll('=', ''),
    random(BASE64_URL, 43),
  ].join('.');
  const password = (): string => `${random(BASE62, 6)}!${random(BASE62, 7)}`;
  return [
    {
      name: '.aws/credentials',
      text: `[default]\naws_access_key_id = ${awsId}\naws_secret_access_key = ${awsSecret}\n`,
    },
    {
      name: 'main.tf',
      text: `provider "aws" {\n  region     = "eu-west-1"\n  access_key = "${awsId}"\n  secret_key = "${awsSecret}"\n}\n`,
    },
    {
      name: 'upload.js',
      text: `const s3 = new S3({ credentials: { accessKeyId: '${awsId}', secretAccessKey: '${awsSecret}' } });\n`,
    },
    { name: 'aws_secret_alone.py', text: `AWS_SECRET_ACCESS_KEY = "${random(BASE64, 40)}"\n` },
    { name: 'release.sh', text: `curl -H "Authorization: token ${github}" https://api.github.com/user\n` },
    {
      name: 'clone.yml',
      text: `steps:\n  - run: git clone https://x-access-token:${withChecksum('ghs_', random(BASE62, 30))}@github.com/a/b.git\n`,
    },
    { name: 'fine_grained.env', text: `GH_TOKEN=github_pat_${random(BASE62, 22)}_${random(BASE62, 59)}\n` },
    { name: 'gitlab.py', text: `gl = Gitlab("https://gitlab.com", private_token="glpat-${random(BASE64_URL, 20)}")\n` },
    { name: '.npmrc', text: `//npm.example.com/:_authToken=npm_${random(BASE62, 36)}\n` },
    {
      name: 'old/.npmrc',
      text: `//npm.example.com/:_authToken=${random(HEX, 8)}-${random(HEX, 4)}-4${random(HEX, 3)}-a${random(HEX, 3)}-${random(HEX, 12)}\n`,
    },
    {
      name: '.pypirc',
      text: `[pypi]\nusername = __token__\npassword = pypi-AgEIcHlwaS5vcmc${random(BASE64_URL, 140)}\n`,
    },
    {
      name: 'slack_bot.rb',
      text: `client = Slack::Web::Client.new(token: "xoxb-${random(DIGITS, 12)}-${random(DIGITS, 13)}-${random(BASE62, 24)}")\n`,
    },
    {
      name: 'alert.go',
      text: `const hook = "https://hooks.slack.com/services/T${random(UPPER, 8)}/B${random(UPPER, 10)}/${random(BASE62, 24)}"\n`,
    },
    { name: 'billing.rb', text: `Stripe.api_key = 'sk_live_${random(BASE62, 24)}'\n` },
    { name: 'stripe_restricted.php', text: `<?php\n$stripe = new StripeClient("rk_live_${random(BASE62, 24)}");\n` },
    {
      name: 'mail.java',
      text: `class Mail {\n  SendGrid sg = new SendGrid("SG.${random(BASE64_URL, 22)}.${random(BASE64_URL, 43)}");\n}\n`,
    },
    {
      name: 'maps.html',
      text: `<script src="https://maps.googleapis.com/maps/api/js?key=AIzaSy${random(BASE64_URL, 33)}"></script>\n`,
    },
    {
      name: 'service-account.json',
      text: `${JSON.stringify({ type: 'service_account', project_id: 'shop', private_key_id: random(HEX, 40), private_key: rsa.export({ type: 'pkcs8', format: 'pem' }), client_email: 'a@shop.iam.gserviceaccount.com' }, null, 2)}\n`,
    },
    { name: 'id_rsa', text: rsa.export({ type: 'pkcs1', format: 'pem' }) },
    {
      name: 'id_ed25519',
      text: `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAA${random(BASE64, 14)}\n${keyBody}\n-----END OPENSSH PRIVATE KEY-----\n`,
    },
    {
      name: 'tls.yaml',
      text: `tls:\n  key: |\n${ec.export({ type: 'sec1', format: 'pem' }).replaceAll(/^/gm, '    ')}\n`,
    },
    {
      name: 'encrypted.asc',
      text: `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${keyBody}\n=${random(BASE64, 4)}\n-----END PGP PRIVATE KEY BLOCK-----\n`,
    },
    {
      name: 'settings.py',
      text: `DATABASES = {"default": {"USER": "shop", "PASSWORD": "${password()}", "HOST": "db.internal"}}\n`,
    },
    { name: 'database.env', text: `DATABASE_URL=postgres://shop:${random(BASE62, 16)}@db.prod.internal:5432/shop\n` },
    {
      name: 'mongo.js',
      text: `mongoose.connect('mongodb+srv://shop:${random(BASE62, 14)}@cluster0.ab1cd.mongodb.net/shop');\n`,
    },
    { name: 'redis.toml', text: `[cache]\nurl = "redis://:${random(BASE62, 20)}@cache.prod.internal:6379/0"\n` },
    {
      name: 'application.properties',
      text: `spring.datasource.username=shop\nspring.datasource.password=${password()}\n`,
    },
    {
      name: 'web.config',
      text: `<configuration>\n  <connectionStrings>\n    <add name="Shop" connectionString="Server=sql01;Database=Shop;User Id=shop;Password=${password()};" />\n  </connectionStrings>\n</configuration>\n`,
    },
    { name: 'Dockerfile', text: `FROM node:26\nENV SMTP_PASSWORD=${password()}\nCMD ["node", "main.js"]\n` },
    {
      name: 'k8s-secret.yaml',
      text: `apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ndata:\n  password: ${base64(password())}\n`,
    },
    { name: 'django.py', text: `SECRET_KEY = "${random(`${BASE62}!@#$%^&*(-_=+)`, 50)}"\n` },
    { name: 'login.ts', text: `const adminPassword = '${password()}';\nawait login('admin', adminPassword);\n` },
    { name: 'client.go', text: `package main\n\nconst apiKey = "${random(HEX, 32)}"\n` },
    {
      name: 'openai.py',
      text: `client = OpenAI(api_key="sk-proj-${random(BASE64_URL, 74)}T3BlbkFJ${random(BASE64_URL, 74)}")\n`,
    },
    {
      name: 'anthropic.ts',
      text: `const client = new Anthropic({ apiKey: 'sk-ant-api03-${random(BASE64_URL, 93)}AA' });\n`,
    },
    { name: 'huggingface.sh', text: `huggingface-cli login --token hf_${random(`${UPPER}${LOWER}`, 34)}\n` },
    {
      name: 'sms.php',
      text: `<?php\n$client = new Twilio\\Rest\\Client("AC${random(HEX, 32)}", "${random(HEX, 32)}");\n`,
    },
    { name: 'mailgun.rb', text: `Mailgun.configure { |config| config.api_key = 'key-${random(HEX, 32)}' }\n` },
    { name: 'telegram.js', text: `const bot = new Telegraf('${random(DIGITS, 10)}:AA${random(BASE64_URL, 33)}');\n` },
    {
      name: 'discord.py',
      text: `client.run("${base64(`1${random(DIGITS, 17)}`)}.${random(BASE64_URL, 6)}.${random(BASE64_URL, 38)}")\n`,
    },
    {
      name: 'discord_hook.cs',
      text: `var hook = "https://discord.com/api/webhooks/${random(DIGITS, 18)}/${random(BASE64_URL, 68)}";\n`,
    },
    {
      name: 'blob.json',
      text: `${JSON.stringify({ storage: `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${random(BASE64, 86)}==;EndpointSuffix=core.windows.net` })}\n`,
    },
    { name: 'droplet.tfvars', text: `do_token = "dop_v1_${random(HEX, 64)}"\n` },
    { name: 'shopify.env', text: `SHOPIFY_ADMIN_TOKEN=shpat_${random(HEX, 32)}\n` },
    { name: 'vault.sh', text: `export VAULT_TOKEN=hvs.CAESI${random(BASE64_URL, 90)}\n` },
    {
      name: 'databricks.cfg',
      text: `[DEFAULT]\nhost = https://shop.cloud.databricks.com\ntoken = dapi${random(HEX, 32)}\n`,
    },
    { name: '.pgpass', text: `db.prod.internal:5432:shop:shop:${random(BASE62, 16)}\n` },
    { name: '.netrc', text: `machine git.example.com\nlogin deploy\npassword ${random(BASE62, 18)}\n` },
    { name: 'request.http', text: `GET https://api.example.com/orders\nAuthorization: Bearer ${jwt}\n` },
    { name: 'basic.sh', text: `curl -u deploy:${random(BASE62, 16)} https://repo.example.com/upload -T a.zip\n` },
    {
      name: 'header.js',
      text: `fetch(url, { headers: { Authorization: 'Basic ${base64(`deploy:${random(BASE62, 14)}`)}' } });\n`,
    },
  ];
}

/** Files that have none. */
export function harmlessFiles(): SeedFile[] {
  const random = createRandomText(42);
  const keyBody = Array.from({ length: 6 }, () => random(BASE64, 64)).join('\n');
  const uuid = (): string =>
    `${random(HEX, 8)}-${random(HEX, 4)}-4${random(HEX, 3)}-9${random(HEX, 3)}-${random(HEX, 12)}`;
  return [
    {
      name: 'documented.md',
      text: 'Set `AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE` and `AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`.\n',
    },
    { name: 'placeholder.env', text: 'API_KEY=<your-api-key>\nSECRET_KEY=change-me\nDB_PASSWORD=xxxxxxxxxxxx\n' },
    {
      name: 'environment.js',
      text: "const password = process.env.DB_PASSWORD;\nconst token = process.env['GITHUB_TOKEN'] ?? '';\n",
    },
    {
      name: 'compose.yaml',
      text: 'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?required}\n',
    },
    {
      name: 'workflow.yml',
      text: 'env:\n  NPM_TOKEN: ${{ secrets.NPM_TOKEN }}\n  AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}\n',
    },
    {
      name: 'variables.tf',
      text: 'variable "db_password" {\n  type      = string\n  sensitive = true\n}\nresource "x" "y" {\n  password = var.db_password\n}\n',
    },
    {
      name: 'lock.json',
      text: `${JSON.stringify({ 'node_modules/a': { version: '1.0.0', integrity: `sha512-${random(BASE64, 86)}==` } }, null, 2)}\n`,
    },
    {
      name: 'go_sum.txt',
      text: `example.com/a v1.0.0 h1:${random(BASE64, 43)}=\nexample.com/a v1.0.0/go.mod h1:${random(BASE64, 43)}=\n`,
    },
    {
      name: 'requirements_hashes.txt',
      text: `flask==3.0.0 \\\n    --hash=sha256:${random(HEX, 64)} \\\n    --hash=sha256:${random(HEX, 64)}\n`,
    },
    { name: 'certificate.pem', text: `-----BEGIN CERTIFICATE-----\n${keyBody}\n-----END CERTIFICATE-----\n` },
    { name: 'public_key.pem', text: `-----BEGIN PUBLIC KEY-----\n${keyBody}\n-----END PUBLIC KEY-----\n` },
    { name: 'authorized_keys', text: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random(BASE64, 43)} dev@example.com\n` },
    { name: 'commit.txt', text: `uses: actions/checkout@${random(HEX, 40)} # v5.0.0\n` },
    { name: 'ids.sql', text: `INSERT INTO orders (id, customer_id) VALUES ('${uuid()}', '${uuid()}');\n` },
    {
      name: 'image.css',
      text: `.logo { background: url(data:image/png;base64,iVBORw0KGgo${random(BASE64, 400)}); }\n`,
    },
    {
      name: 'labels.json',
      text: `${JSON.stringify({ password: 'Passwort', 'password.confirm': 'Passwort wiederholen', token: 'Zugangsschlüssel', secret: 'Geheimnis' })}\n`,
    },
    { name: 'types.ts', text: 'interface Login {\n  username: string;\n  password: string;\n  apiKey?: string;\n}\n' },
    {
      name: 'form.html',
      text: '<label>Password <input type="password" name="password" autocomplete="current-password"></label>\n',
    },
    {
      name: 'ask.py',
      text: 'import getpass\n\npassword = getpass.getpass("Password: ")\ntoken = vault.read("secret/data/shop")["token"]\n',
    },
    { name: 'compare.go', text: 'if password == "" {\n\treturn errors.New("password is required")\n}\n' },
    { name: 'regex.js', text: 'const AWS_KEY = /AKIA[0-9A-Z]{16}/;\nconst GITHUB = /ghp_[A-Za-z0-9]{36}/;\n' },
    {
      name: 'masked.log',
      text: 'token=ghp_************************************ accepted\npassword=******** user=shop\n',
    },
    { name: 'local_url.py', text: 'DATABASE_URL = "postgres://user:password@localhost:5432/app"\n' },
    {
      name: 'template.yaml',
      text: 'database:\n  password: {{ .Values.database.password | quote }}\n  url: "postgres://{{ .Values.user }}:{{ .Values.password }}@db/app"\n',
    },
    { name: 'hash.rb', text: `CHECKSUM = "${random(HEX, 64)}"\nETAG = "${random(HEX, 32)}"\n` },
    { name: 'stripe_public.js', text: `const stripe = Stripe('pk_live_${random(BASE62, 24)}');\n` },
    {
      name: 'sentry.ts',
      text: `Sentry.init({ dsn: 'https://${random(HEX, 32)}@o${random(DIGITS, 6)}.ingest.sentry.io/${random(DIGITS, 7)}' });\n`,
    },
    { name: 'recaptcha.html', text: `<div class="g-recaptcha" data-sitekey="6Le${random(BASE64_URL, 37)}"></div>\n` },
    {
      name: 'csrf.html',
      text: `<meta name="csrf-token" content="{{ csrf_token() }}">\n<input type="hidden" name="authenticity_token" value="<%= token %>">\n`,
    },
    {
      name: 'alphabet.js',
      text: "const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';\n",
    },
    {
      name: 'path.java',
      text: 'class Keys {\n  String keyFile = "/etc/ssl/private/server.key";\n  String secretName = "shop/production/database";\n}\n',
    },
    {
      name: 'mock.py',
      text: 'def test_login(client):\n    client.post("/login", data={"user": "a", "password": "password"})\n',
    },
    {
      name: 'minified.js',
      text: `!function(e,t){"use strict";var n=e.token||t.key,r="${random(LOWER, 8)}";n&&(r=n+r),e.${random(LOWER, 6)}=function(){return r}}(window,{});\n`,
    },
    {
      name: 'sops.yaml',
      text: `password: ENC[AES256_GCM,data:${random(BASE64, 24)},iv:${random(BASE64, 43)}=,tag:${random(BASE64, 22)}==,type:str]\n`,
    },
    {
      name: 'sealed.yaml',
      text: `apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nspec:\n  encryptedData:\n    password: AgB${random(BASE64, 760)}\n`,
    },
    {
      name: 'ansible.yml',
      text: `db_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  ${random(DIGITS, 80)}\n  ${random(DIGITS, 80)}\n`,
    },
    {
      name: 'keyref.tf',
      text: `resource "aws_kms_alias" "a" {\n  target_key_id = "arn:aws:kms:eu-west-1:123456789012:key/${uuid()}"\n}\n`,
    },
    {
      name: 'k8s-ref.yaml',
      text: 'env:\n  - name: PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: shop\n        key: password\n',
    },
    { name: 'example_jwt.md', text: 'A token looks like `eyJhbGciOi...<payload>...<signature>`.\n' },
  ];
}

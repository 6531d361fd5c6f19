const { S3Client, GetObjectCommand, PutObjectCommand } = require('@aws-sdk/client-s3');
const { execSync, execFileSync } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const s3 = new S3Client({});
const PRESETS = { thumb: '120x120', card: '400x300', full: '1600x1200' };

async function download(bucket, key) {
  const object = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return Buffer.from(await object.Body.transformToByteArray());
}

async function upload(bucket, key, file) {
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: fs.readFileSync(file) }));
}

exports.onCreated = async (event) => {
  for (const record of event.Records) {
    const bucket = record.s3.bucket.name;
    const key = decodeURIComponent(record.s3.object.key.replace(/\+/g, ' '));
    const data = await download(bucket, key);

    const original = path.join('/tmp', key);
    fs.writeFileSync(original, data);

    const info = execSync(`identify -format "%w %h" "${original}"`).toString();
    const [width] = info.split(' ').map(Number);

    const hash = crypto.createHash('sha1').update(key).digest('hex');
    const picture = `/tmp/${hash}.img`;
    fs.writeFileSync(picture, data);
    execSync(`convert ${picture} -resize ${Math.min(width, 800)} ${picture}.jpg`);
    await upload(process.env.TARGET, `${hash}.jpg`, `${picture}.jpg`);
  }
};

exports.resize = async (event) => {
  const query = event.queryStringParameters || {};
  if (!Object.hasOwn(PRESETS, query.preset)) {
    return { statusCode: 400, body: 'preset' };
  }
  const file = `/tmp/${crypto.randomUUID()}.jpg`;
  fs.writeFileSync(file, Buffer.from(event.body, 'base64'));

  execSync(`mogrify -resize ${PRESETS[query.preset]} ${file}`);

  if (query.effect) {
    execFileSync('mogrify', [query.effect, file]);
  }
  return {
    statusCode: 200,
    isBase64Encoded: true,
    headers: { 'Content-Type': 'image/jpeg' },
    body: fs.readFileSync(file).toString('base64'),
  };
};

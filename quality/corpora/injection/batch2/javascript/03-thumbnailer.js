'use strict';

const { execSync, execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { S3Client, GetObjectCommand } = require('@aws-sdk/client-s3');

const s3 = new S3Client({});

async function download(bucket, key) {
  const out = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  const bytes = await out.Body.transformToByteArray();
  fs.writeFileSync('/tmp/source.bin', bytes);
}

exports.handler = async (event) => {
  for (const record of event.Records) {
    const bucket = record.s3.bucket.name;
    const key = decodeURIComponent(record.s3.object.key.replace(/\+/g, ' '));
    await download(bucket, key);

    execSync(`convert /tmp/source.bin -resize 200x200 /tmp/thumb-${path.basename(key)}`);
    execFileSync('exiftool', ['-overwrite_original', `-Title=${key}`, '/tmp/source.bin']);
  }
  return { processed: event.Records.length };
};

const { randomUUID } = require('crypto');
const { execSync } = require('child_process');
const { writeFileSync, readFileSync } = require('fs');
const path = require('path');
const { RDSDataClient, ExecuteStatementCommand } = require('@aws-sdk/client-rds-data');
const { S3Client, GetObjectCommand } = require('@aws-sdk/client-s3');

const rds = new RDSDataClient({});
const s3 = new S3Client({});

const target = {
  resourceArn: process.env.CLUSTER_ARN,
  secretArn: process.env.SECRET_ARN,
  database: 'ringing',
};

const json = (statusCode, body) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function recoveries(event) {
  const { species } = event.pathParameters;
  const command = new ExecuteStatementCommand({
    ...target,
    sql: 'SELECT ring, place FROM recoveries WHERE species = :species',
    parameters: [{ name: 'species', value: { stringValue: species } }],
  });
  const { records } = await rds.send(command);
  return json(200, records);
}

async function movements(event) {
  const { from, to } = event.queryStringParameters ?? {};
  const command = new ExecuteStatementCommand({
    ...target,
    sql: `SELECT ring, km FROM movements WHERE country_from = '${from}' AND country_to = '${to}'`,
  });
  const { records } = await rds.send(command);
  return json(200, records);
}

function column(name) {
  switch (name) {
    case 'wing':
    case 'tarsus':
    case 'weight':
      return name;
    default:
      throw new RangeError(name);
  }
}

async function biometrics(event) {
  const measure = column(event.queryStringParameters?.measure);
  const { records } = await rds.send(new ExecuteStatementCommand({
    ...target,
    sql: `SELECT species, avg(${measure}) FROM birds GROUP BY species`,
  }));
  return json(200, records);
}

async function sonogram(event) {
  const { key, name = 'call', palette = '1' } = JSON.parse(event.body);
  const object = await s3.send(new GetObjectCommand({ Bucket: process.env.CALLS, Key: key }));
  const wav = path.join('/tmp', `${randomUUID()}.wav`);
  writeFileSync(wav, await object.Body.transformToByteArray());
  const png = `/tmp/${name}.png`;
  execSync(`sox ${wav} -n spectrogram -p ${parseInt(palette, 10) || 1} -o ${png}`);
  return json(200, { image: png, bytes: readFileSync(wav).length });
}

exports.handler = async (event) => {
  const routes = { '/recoveries/{species}': recoveries, '/movements': movements, '/biometrics': biometrics, '/sonogram': sonogram };
  const route = routes[event.resource];
  if (!route) return json(404, {});
  try {
    return await route(event);
  } catch (err) {
    return json(err instanceof RangeError ? 400 : 500, { error: err.name });
  }
};

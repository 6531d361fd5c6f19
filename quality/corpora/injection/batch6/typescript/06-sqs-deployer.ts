import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { execFileSync, execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';

enum Stage {
  Test = 'test',
  Live = 'live',
}

interface Deployment {
  kind: 'image' | 'restart' | 'scale' | 'manifest' | 'rollback';
  service: string;
  stage: string;
  value: string;
}

const MANIFESTS = '/opt/deployer/manifests';
const SEMVER = /^\d+\.\d+\.\d+$/;

const isStage = (text: string): text is Stage => Object.values(Stage).some((s) => s === text);

function isName(text: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(text);
}

function image(d: Deployment): string {
  if (!isName(d.service) || !SEMVER.test(d.value)) {
    throw new Error('image');
  }
  return execSync(`kubectl set image deploy/${d.service} app=registry.local/${d.service}:${d.value}`).toString();
}

function restart(d: Deployment): string {
  if (!isStage(d.stage)) {
    throw new Error('stage');
  }
  return execSync(`kubectl -n ${d.stage} rollout restart deploy/${d.service}`).toString();
}

function restartAll(d: Deployment): string {
  if (!isStage(d.stage)) {
    throw new Error('stage');
  }
  return execSync(`kubectl -n ${d.stage} rollout restart deploy`).toString();
}

function scale(d: Deployment): string {
  return execFileSync('kubectl', ['scale', `deploy/${d.service}`, `--replicas=${d.value}`]).toString();
}

function manifest(d: Deployment): string {
  const file = path.join(MANIFESTS, d.service, d.value);
  return readFileSync(file, 'utf8');
}

function rollback(d: Deployment): string {
  if (!isName(d.service)) {
    console.warn(`strange service name ${d.service}`);
  }
  return execSync(`helm rollback ${d.service}`).toString();
}

const actions: Record<Deployment['kind'], (d: Deployment) => string> = {
  image,
  restart: (d) => (d.service === '*' ? restartAll(d) : restart(d)),
  scale,
  manifest,
  rollback,
};

function handle(record: SQSRecord): void {
  const deployment = JSON.parse(record.body) as Deployment;
  const action = actions[deployment.kind];
  if (action) {
    console.log(action(deployment));
  }
}

export const handler = async (event: SQSEvent): Promise<void> => {
  event.Records.forEach(handle);
};

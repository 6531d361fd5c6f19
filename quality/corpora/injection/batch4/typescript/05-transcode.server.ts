import { exec, execSync, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import * as grpc from '@grpc/grpc-js';
import * as protoLoader from '@grpc/proto-loader';
import { quote } from 'shell-quote';

const execAsync = promisify(exec);
const MEDIA = '/srv/media';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PRESETS: Record<string, string> = { draft: 'ultrafast', web: 'medium', archive: 'veryslow' };

type Call<Req> = grpc.ServerUnaryCall<Req, unknown>;
type Reply = grpc.sendUnaryData<unknown>;

interface ClipRequest {
  source: string;
  start: number;
}

function assetPath(assetId: string): string {
  if (!UUID.test(assetId)) {
    throw new Error('malformed asset id');
  }
  return `${MEDIA}/${assetId}.mp4`;
}

async function probe(call: Call<{ assetId: string }>, reply: Reply): Promise<void> {
  try {
    const { stdout } = await execAsync(`ffprobe -v error -of json -show_format ${assetPath(call.request.assetId)}`);
    reply(null, { json: stdout });
  } catch (err) {
    reply({ code: grpc.status.INVALID_ARGUMENT, message: String(err) });
  }
}

function clip(call: Call<ClipRequest>, reply: Reply): void {
  const { source, start } = call.request;
  const input = `${MEDIA}/${source}`;
  const args = ['-ss', String(Number(start)), '-i', input, '-t', '10', '/var/clips/latest.mp4'];
  const child = spawn('ffmpeg', args, { shell: true, stdio: 'ignore' });
  child.on('close', (code) => reply(null, { code }));
}

function encode(call: Call<{ assetId: string; preset: string }>, reply: Reply): void {
  const { assetId, preset } = call.request;
  const speed = PRESETS[preset] ?? preset;
  const input = assetPath(assetId);
  execSync(`ffmpeg -y -i ${input} -preset ${speed} ${input}.out.mp4`);
  reply(null, { output: `${input}.out.mp4` });
}

async function annotate(call: Call<{ note: string }>, reply: Reply): Promise<void> {
  await execAsync(quote(['logger', '-t', 'transcode', '--', call.request.note]));
  reply(null, {});
}

const proto = grpc.loadPackageDefinition(protoLoader.loadSync('transcode.proto')) as any;
const server = new grpc.Server();
server.addService(proto.media.Transcoder.service, { probe, clip, encode, annotate });
server.bindAsync('0.0.0.0:50051', grpc.ServerCredentials.createInsecure(), () => undefined);

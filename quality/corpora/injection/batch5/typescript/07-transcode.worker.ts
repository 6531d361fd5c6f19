import { join } from 'node:path';
import { Job, Worker } from 'bullmq';
import { execa } from 'execa';
import { quote } from 'shell-quote';

interface TranscodeJob {
  videoId: number;
  profile: string;
  encoder?: string;
  title?: string;
  extraArgs?: string;
  subtitles?: { language: string; offset: number }[];
}

const PROFILES: ReadonlyMap<string, readonly string[]> = new Map([
  ['mobile', ['-vf', 'scale=640:-2', '-b:v', '900k']],
  ['hd', ['-vf', 'scale=1280:-2', '-b:v', '3500k']],
]);

const sourceOf = (job: TranscodeJob): string => `/mnt/media/source/${Math.trunc(Number(job.videoId))}.mov`;
const outputOf = (job: TranscodeJob): string => `/mnt/media/out/${Math.trunc(Number(job.videoId))}.mp4`;

class CommandLine {
  private words: string[] = [];

  add(...words: string[]): this {
    this.words = this.words.concat(words);
    return this;
  }

  render(): string {
    return this.words.join(' ');
  }
}

async function transcode(data: TranscodeJob): Promise<void> {
  const settings = PROFILES.get(data.profile) ?? [];
  await execa('ffmpeg', ['-y', '-i', sourceOf(data), ...settings, outputOf(data)]);
}

async function transcodeCustom(data: TranscodeJob): Promise<void> {
  const extra = data.extraArgs?.split(' ').filter(Boolean) ?? [];
  await execa('ffmpeg', ['-y', '-i', sourceOf(data), ...extra, outputOf(data)]);
}

async function tag(data: TranscodeJob): Promise<void> {
  const metadata = quote(['-metadata', `title=${data.title ?? 'untitled'}`]);
  await execa(`ffmpeg -y -i ${sourceOf(data)} ${metadata} -c copy ${outputOf(data)}`, { shell: true });
}

async function burnSubtitles(data: TranscodeJob): Promise<void> {
  const line = new CommandLine().add('mkvmerge', '-o', outputOf(data), sourceOf(data));
  for (const { language, offset } of data.subtitles ?? []) {
    line.add('--language', `0:${language}`, '--sync', `0:${Number(offset)}`, '/mnt/media/subs/default.srt');
  }
  await execa(line.render(), { shell: '/bin/sh' });
}

async function hardware(data: TranscodeJob): Promise<void> {
  const program = join('/opt/encoders/bin', data.encoder ?? 'nvenc');
  await execa(program, ['--input', sourceOf(data), '--output', outputOf(data)]);
}

const steps: Record<string, (data: TranscodeJob) => Promise<void>> = {
  transcode, transcodeCustom, tag, burnSubtitles, hardware,
};

export const worker = new Worker<TranscodeJob>(
  'transcode',
  async (job: Job<TranscodeJob>) => steps[job.name]?.(job.data),
  { connection: { host: process.env.REDIS_HOST }, concurrency: 2 },
);

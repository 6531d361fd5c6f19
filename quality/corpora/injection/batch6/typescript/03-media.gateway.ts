import { ChildProcess, exec, execFile, spawn } from 'child_process';
import { randomUUID } from 'crypto';
import { createWriteStream } from 'fs';
import { join } from 'path';
import { SubscribeMessage, WebSocketGateway, MessageBody, WsException } from '@nestjs/websockets';

interface EncodeMessage {
  mediaId: string;
  quality: 'low' | 'medium' | 'high';
  title?: string;
}

interface ClipMessage {
  mediaId: string;
  from: number;
  to: number;
}

const STORE = '/srv/media';
const CRF: Record<EncodeMessage['quality'], string> = { low: '32', medium: '26', high: '20' };
const ID = /^[0-9a-f-]{36}$/;

function mediaFile(id: string): string {
  if (typeof id !== 'string' || !ID.test(id)) {
    throw new WsException('media id');
  }
  return join(STORE, `${id}.mp4`);
}

@WebSocketGateway({ namespace: 'media' })
export class MediaGateway {
  private readonly running = new Map<string, ChildProcess>();

  @SubscribeMessage('encode')
  encode(@MessageBody() message: EncodeMessage): string {
    const source = mediaFile(message.mediaId);
    const crf = CRF[message.quality] ?? CRF.medium;
    const target = join(STORE, `${randomUUID()}.mp4`);
    const job = spawn('ffmpeg', ['-i', source, '-crf', crf, '-metadata', `title=${message.title}`, target]);
    this.running.set(target, job);
    return target;
  }

  @SubscribeMessage('title')
  title(@MessageBody() message: EncodeMessage): void {
    const source = mediaFile(message.mediaId);
    exec(`AtomicParsley ${source} --title "${message.title}" --overWrite`, (error) => {
      if (error) {
        console.error('title failed', error.message);
      }
    });
  }

  @SubscribeMessage('clip')
  clip(@MessageBody() message: ClipMessage): string {
    const source = mediaFile(message.mediaId);
    const from = Number(message.from);
    const length = Number(message.to) - from;
    const target = join(STORE, `${randomUUID()}.mp4`);
    exec(`ffmpeg -ss ${from} -t ${length} -i ${source} -c copy ${target}`);
    return target;
  }

  @SubscribeMessage('probe')
  probe(@MessageBody() message: { url: string }): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile('ffprobe', ['-hide_banner', '-of', 'json', message.url], (error, stdout) => {
        error ? reject(error) : resolve(stdout);
      });
    });
  }

  @SubscribeMessage('subtitle')
  subtitle(@MessageBody() message: { mediaId: string; language: string; text: string }): void {
    mediaFile(message.mediaId);
    const target = join(STORE, 'subtitles', message.mediaId, message.language + '.vtt');
    const out = createWriteStream(target);
    out.end(message.text);
  }
}

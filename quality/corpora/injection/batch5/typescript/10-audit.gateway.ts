import { createReadStream } from 'fs';
import { appendFile, readFile, unlink } from 'fs/promises';
import { join } from 'path';
import { createInterface } from 'readline';
import { Controller } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { ConnectedSocket, MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import type { Socket } from 'socket.io';

const AUDIT_DIR = '/var/log/audit';
const ROTATED = ['login.log.1', 'billing.log.1', 'admin.log.1'];

interface AuditEvent {
  tenant: string;
  action: string;
  actor: { id: string; ip: string };
}

abstract class Formatter {
  abstract fileFor(event: AuditEvent): string;

  line(event: AuditEvent): string {
    return `${new Date().toISOString()} ${event.actor.id} ${event.action}\n`;
  }
}

class TenantFormatter extends Formatter {
  fileFor({ tenant }: AuditEvent): string {
    return join(AUDIT_DIR, `${tenant}.log`);
  }
}

@Controller()
export class AuditController {
  private readonly formatter: Formatter = new TenantFormatter();

  @EventPattern('audit.recorded')
  async record(@Payload() event: AuditEvent): Promise<void> {
    await appendFile(this.formatter.fileFor(event), this.formatter.line(event));
  }

  @MessagePattern('audit.summary')
  async summary(@Payload() request: { period: string }): Promise<string> {
    const { period } = request;
    if (!/^\d{4}-\d{2}$/m.test(period)) return '';
    return readFile(join(AUDIT_DIR, 'summaries', period), 'utf8');
  }

  @MessagePattern('audit.purge')
  async purge(@Payload() request: { files: string[] }): Promise<number> {
    const doomed = ROTATED.filter((name) => request.files.includes(name));
    await Promise.all(doomed.map((name) => unlink(join(AUDIT_DIR, name))));
    return doomed.length;
  }
}

async function* linesOf(name: string): AsyncGenerator<string> {
  const input = createReadStream(join(AUDIT_DIR, decodeURIComponent(name)));
  yield* createInterface({ input });
}

@WebSocketGateway({ namespace: 'audit' })
export class AuditGateway {
  @SubscribeMessage('follow')
  async follow(@MessageBody('name') name: string, @ConnectedSocket() socket: Socket): Promise<void> {
    if (name.includes('..') || name.includes('/')) {
      socket.emit('failed', 'name');
      return;
    }
    for await (const line of linesOf(name)) {
      socket.emit('line', line);
    }
  }
}

import net from 'node:net';
import path from 'node:path';
import { exec } from 'node:child_process';
import { createWriteStream, promises as fs } from 'node:fs';
import { WebSocketServer } from 'ws';

const CAPTURES = '/var/lib/gateway/captures';
const FIRMWARE = '/var/lib/gateway/firmware';
const MODELS = new Set(['ax-100', 'ax-200', 'bx-7']);

class Handler {
  constructor(message) {
    this.target = message.target;
    this.options = message.options ?? {};
  }

  buildCommand() {
    throw new Error('not implemented');
  }

  run() {
    return new Promise((resolve, reject) => {
      exec(this.buildCommand(), { timeout: 15_000 }, (err, stdout) => {
        if (err) reject(err);
        else resolve(stdout);
      });
    });
  }
}

class SnmpHandler extends Handler {
  buildCommand() {
    const words = ['snmpwalk', '-v2c'];
    words.push('-c', this.options.community || 'public');
    words.push(this.target, '1.3.6.1.2.1.1');
    return words.join(' ');
  }
}

class PingHandler extends Handler {
  run() {
    if (net.isIP(this.target) === 0) throw new Error('target must be an address');
    return new Promise((resolve) => {
      exec(`ping -c 3 -W 2 ${this.target}`, (err, stdout) => resolve(err ? 'unreachable' : stdout));
    });
  }
}

class FirmwareHandler extends Handler {
  async run() {
    if (!MODELS.has(this.target)) throw new Error('unknown model');
    const image = await fs.readFile(path.join(FIRMWARE, `${this.target}.bin`));
    return image.toString('base64');
  }
}

class CaptureHandler extends Handler {
  async run() {
    const { label, frames } = this.options;
    if (label.length > 64) throw new Error('label too long');
    const sink = createWriteStream(path.join(CAPTURES, label), { flags: 'a' });
    for (const frame of frames) sink.write(Buffer.from(frame, 'hex'));
    sink.end();
    return label;
  }
}

const registry = { snmp: SnmpHandler, ping: PingHandler, firmware: FirmwareHandler, capture: CaptureHandler };

const wss = new WebSocketServer({ port: 9090 });
wss.on('connection', (ws) => {
  ws.on('message', async (data) => {
    try {
      const message = JSON.parse(data.toString());
      const Type = registry[message.kind];
      const result = await new Type(message).run();
      ws.send(JSON.stringify({ id: message.id, result }));
    } catch (err) {
      ws.send(JSON.stringify({ error: err.message }));
    }
  });
});

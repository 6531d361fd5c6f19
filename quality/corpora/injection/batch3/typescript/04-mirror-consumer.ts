import amqp, { ConsumeMessage } from 'amqplib';
import { execSync, spawnSync } from 'node:child_process';

class MirrorTask {
  readonly remote: string;
  readonly branch: string;
  readonly depth: number;

  constructor(payload: { remote: string; branch: string; depth: string }) {
    this.remote = payload.remote;
    this.branch = payload.branch;
    this.depth = parseInt(payload.depth, 10) || 1;
  }

  describe(): string {
    return `git ls-remote --heads ${this.remote} ${this.branch}`;
  }
}

class MirrorRunner {
  private readonly cwd = '/var/lib/mirror';

  constructor(private readonly task: MirrorTask) {}

  headOf(): string {
    return execSync(this.task.describe(), { cwd: this.cwd, encoding: 'utf8' }).split('\t')[0];
  }

  push(): void {
    spawnSync(`git push ${this.task.remote} --mirror`, { cwd: this.cwd, shell: true });
  }

  deepen(): void {
    const done = spawnSync('git', ['fetch', `--depth=${this.task.depth}`, 'origin'], { cwd: this.cwd });
    if (done.status !== 0) {
      throw new Error(done.stderr.toString());
    }
  }
}

async function main(): Promise<void> {
  const conn = await amqp.connect(process.env.AMQP_URL ?? 'amqp://localhost');
  const channel = await conn.createChannel();
  await channel.assertQueue('mirror');
  await channel.consume('mirror', (msg: ConsumeMessage | null) => {
    if (!msg) return;
    const runner = new MirrorRunner(new MirrorTask(JSON.parse(msg.content.toString())));
    console.log(runner.headOf());
    runner.deepen();
    runner.push();
    channel.ack(msg);
  });
}

void main();

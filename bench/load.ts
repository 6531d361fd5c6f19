import type { ChildProcess } from 'node:child_process';
import { nextMessage, projectFile, startNode } from './child.ts';
import type { Question } from './http-client.ts';

/** Questions in a row over some connections, each asking again when it has its answer. */
export interface LoadTask {
  port: number;
  /** Requested in order, again from the start after the last. */
  questions: readonly Question[];
  connections: number;
  seconds: number;
  /** What a connection waits on the average between an answer and its next question. */
  pauseMs: number;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  /** Milliseconds from question to answer, one for each request. */
  latencies: number[];
  /** Answers that were not 200. */
  failures: number;
}

/** The clients, in a process of their own so that measuring does not slow what is measured. */
export class Load {
  readonly child: ChildProcess = startNode([projectFile('children/load.ts')]);

  async run(task: LoadTask): Promise<LoadResult> {
    const result = nextMessage<LoadResult>(this.child, 'the load');
    this.child.send(task);
    const { failures, requests, ...rest } = await result;
    if (failures > 0) throw new Error(`${failures} of ${requests} requests failed`);
    return { failures, requests, ...rest };
  }

  /** Ends the task under way before its time. */
  finish(): void {
    this.child.send('finish');
  }
}

import type { Config } from '../config.ts';
import { TaskStore } from '../mcp/tasks/task-store.ts';

/** MCP tasks are in the memory of one process: null where the next request may go to another worker or replica. */
export function createTaskStore({
  workers,
  redisUrl,
  databaseUrl,
}: Pick<Config, 'workers' | 'redisUrl' | 'databaseUrl'>): TaskStore | null {
  return workers === 1 && redisUrl === null && databaseUrl === null ? new TaskStore() : null;
}

/**
 * Long pure work, by name. A task is loaded on first use, in the thread that runs it. Input and output are cloned between threads:
 * plain data only.
 */
export const TASKS = {
  secrets: async () => (await import('../analysis/secrets/scan-secrets.ts')).scanSecrets,
  injection: async () => (await import('./check-injection-in-this-thread.ts')).checkInjectionInThisThread,
  lockfile: async () => (await import('../analysis/packages/read-document.ts')).readLockfile,
  sbom: async () => (await import('../analysis/packages/read-document.ts')).readSbom,
  page: async () => (await import('../analysis/page/read-page.ts')).readPage,
} satisfies TaskLoaders;

export type TaskLoaders = Record<string, () => Promise<(input: never) => unknown>>;

export type TaskName = keyof typeof TASKS;
type TaskFunction<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;
export type TaskInput<Name extends TaskName> = Parameters<TaskFunction<Name>>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<TaskFunction<Name>>>;

import { initTRPC, TRPCError } from '@trpc/server';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';

interface Context {
  userId: number;
}

const t = initTRPC.context<Context>().create();
const HOME = '/srv/documents';

const userRoot = (ctx: Context): string => join(HOME, `user-${ctx.userId}`);

function within(root: string, name: string): string {
  const full = resolve(root, name);
  const rest = relative(root, full);
  if (rest === '' || rest.startsWith('..') || isAbsolute(rest)) {
    throw new TRPCError({ code: 'FORBIDDEN' });
  }
  return full;
}

const looksRelative = (name: string): boolean => !name.startsWith('/') && !name.startsWith('..');

export const documents = t.router({
  read: t.procedure
    .input(z.object({ name: z.string().min(1) }))
    .query(async ({ ctx, input }) => {
      const file = within(userRoot(ctx), input.name);
      return readFile(file, 'utf8');
    }),

  template: t.procedure
    .input(z.object({ name: z.string().refine(looksRelative, 'name must be relative') }))
    .query(({ input }) => readFile(join(HOME, 'templates', input.name), 'utf8')),

  version: t.procedure
    .input(z.object({ id: z.string().uuid(), version: z.number().int() }))
    .query(({ ctx, input }) => {
      const file = join(userRoot(ctx), '.versions', input.id, `${input.version}.md`);
      return readFile(file, 'utf8');
    }),

  save: t.procedure
    .input(z.object({ folder: z.string(), title: z.string().regex(/^[\w -]+$/), text: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const folder = join(userRoot(ctx), input.folder);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${input.title}.md`), input.text);
      return { saved: input.title };
    }),

  draft: t.procedure
    .input(z.object({ title: z.string().regex(/^[\w -]+$/), text: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await writeFile(join(userRoot(ctx), 'drafts', `${input.title}.md`), input.text);
    }),

  remove: t.procedure
    .input(z.object({ name: z.string().regex(/[\w -]+\.md$/) }))
    .mutation(async ({ ctx, input }) => {
      await rm(join(userRoot(ctx), input.name));
      return { removed: input.name };
    }),
});

export type DocumentsRouter = typeof documents;

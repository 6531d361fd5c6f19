import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeCommand } from '../../src/cli/command-tree.ts';
import { renderCompletion } from '../../src/cli/completion/render-completion.ts';
import type { CompletionShell } from '../../src/cli/completion/shells.ts';
import { createCompleteProgram } from '../../src/cli/program.ts';
import { buildProgram } from '../build.ts';
import { publishedManifest } from './manifest.ts';
import { renderManualPage } from './manual-page.ts';
import { renderThirdPartyLicenses } from './third-party.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const COMPLETION_FILES = { bash: 'sextant.bash', zsh: '_sextant', fish: 'sextant.fish' } satisfies Record<
  CompletionShell,
  string
>;

const COPIED = ['bin/sextant.js', 'dist', 'LICENSE', 'README.md', 'starter/catalog.json'];

/**
 * Writes the package for npm into a folder: the build, the starter catalog, the manual page, completions and the licences of what is in
 * it. The same source makes the same bytes. Returns the packages in the build, by their path as in the lock file.
 */
export async function writePackage(folder: string, repository: string | null): Promise<Set<string>> {
  await rm(folder, { recursive: true, force: true });
  for (const name of ['completions', 'man']) await mkdir(join(folder, name), { recursive: true });
  const packages = await buildProgram();
  for (const path of COPIED) await cp(join(ROOT, path), join(folder, path), { recursive: true });
  const program = describeCommand(await createCompleteProgram());
  const texts = {
    'package.json': `${JSON.stringify(publishedManifest(repository), null, 2)}\n`,
    'THIRD-PARTY-LICENSES.txt': renderThirdPartyLicenses(packages),
    'man/sextant.1': renderManualPage(program),
    ...Object.fromEntries(
      Object.entries(COMPLETION_FILES).map(([shell, file]) => [
        `completions/${file}`,
        renderCompletion(shell as CompletionShell, program),
      ]),
    ),
  };
  for (const [path, text] of Object.entries(texts)) await writeFile(join(folder, path), text);
  return packages;
}

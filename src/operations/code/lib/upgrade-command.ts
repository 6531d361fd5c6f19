interface UpgradeOf {
  package: string;
  version: string;
  to: string;
}

interface Recipe {
  /** Whether it also works for a package that another one brings. */
  forBrought: boolean;
  command(upgrade: UpgradeOf): string;
}

/** By format of the document: commands that lead to exactly this version and keep what the manifest says of the package. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  'package-lock.json': { forBrought: false, command: ({ package: name, to }) => `npm install ${name}@${to}` },
  'pnpm-lock.yaml': { forBrought: false, command: ({ package: name, to }) => `pnpm update ${name}@${to}` },
  'uv.lock': { forBrought: true, command: ({ package: name, to }) => `uv lock --upgrade-package ${name}==${to}` },
  'Cargo.lock': {
    forBrought: true,
    command: ({ package: name, version, to }) => `cargo update ${name}@${version} --precise ${to}`,
  },
  'go.mod': { forBrought: true, command: ({ package: name, to }) => `go get ${name}@v${to.replace(/^v/, '')}` },
  'composer.lock': { forBrought: false, command: ({ package: name, to }) => `composer require ${name}:^${to}` },
  'packages.lock.json': {
    forBrought: true,
    command: ({ package: name, to }) => `dotnet add package ${name} --version ${to}`,
  },
};
/** Names and versions come from lockfiles of others, and people paste the command into a shell. */
const SAFE_NAME = /^(?!-)[\w.@/-]{1,200}$/;
const SAFE_VERSION = /^\d[\w.+-]{0,100}$/;

/** The command that upgrades a package in a document of this format; null where none is sure to. `isDirect` null: it is not known. */
export function upgradeCommand(upgrade: UpgradeOf, format: string, isDirect: boolean | null): string | null {
  const { package: name, version, to } = upgrade;
  const recipe = Object.hasOwn(RECIPES, format) ? RECIPES[format]! : null;
  if (recipe === null || (isDirect !== true && !recipe.forBrought)) return null;
  if (
    !SAFE_NAME.test(name) ||
    name === 'stdlib' ||
    !SAFE_VERSION.test(to) ||
    !SAFE_VERSION.test(version.replace(/^v/, ''))
  )
    return null;
  return recipe.command(upgrade);
}

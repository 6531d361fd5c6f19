import {
  type PackageInput,
  type PackageRef,
  packageIdentity,
  parsePackageInput,
} from '../../../analysis/packages/package-ref.ts';
import type { DocumentPackages } from '../../../analysis/packages/read-document.ts';
import { ApiError } from '../../../errors.ts';
import { runTask } from '../../../threads/run-task.ts';
import { validationError } from '../../../engine/input/parse-input.ts';

/** Packages of one call. */
export const MAX_PACKAGES_PER_CALL = 50;

const PACKAGE_INPUT_FORMS = ['packages', 'purls', 'sbom', 'lockfile'] as const;

type RawInput = Record<string, unknown>;

/** An input once its packages are read, whatever the form in which they were given. */
interface ParsedPackagesInput extends RawInput {
  packages: PackageRef[];
  document: Omit<DocumentPackages, 'packages'>;
}

/**
 * The input with its packages read: a document has to be read before it is known what the call costs. Of a document the packages
 * from `offset` on are taken, as many as a call may have. Throws `ApiError` 422; read input comes back as it is.
 */
export async function parsePackagesInput(input: RawInput): Promise<ParsedPackagesInput> {
  if (isParsedInput(input)) return input;
  const given = PACKAGE_INPUT_FORMS.filter((form) => input[form] !== undefined);
  const [form] = given;
  if (form === undefined || given.length > 1) {
    const which = given.length === 0 ? 'none is there' : `${given.join(' and ')} are there`;
    throw fieldError(given[1] ?? 'packages', `give exactly one of ${PACKAGE_INPUT_FORMS.join(', ')}: ${which}`);
  }
  if (form !== 'lockfile' && input['filename'] !== undefined)
    throw fieldError('filename', 'it goes with lockfile alone');
  if (form === 'sbom' || form === 'lockfile') {
    const { packages, ...document } = await readDocumentPackages(form, input);
    return { packages, document };
  }
  if (input['offset'] !== 0) throw fieldError('offset', 'it goes with sbom and lockfile alone');
  const packages = (input[form] as PackageInput[]).map((one) =>
    parsePackageInput(form === 'purls' ? { purl: one as string } : one),
  );
  const different = new Set(packages.map(packageIdentity)).size;
  return { packages, document: { totalCount: different, remainingLabels: [], nextOffset: null, gaps: [] } };
}

function isParsedInput(input: RawInput): input is ParsedPackagesInput {
  return 'document' in input;
}

async function readDocumentPackages(form: 'sbom' | 'lockfile', input: RawInput): Promise<DocumentPackages> {
  const document = input[form] as string | Record<string, unknown>;
  const page = { offset: input['offset'] as number, limit: MAX_PACKAGES_PER_CALL };
  const how = typeof document === 'string' ? { inputBytes: document.length } : {};
  const { read, fault: problem } =
    form === 'sbom'
      ? await runTask('sbom', { document, page }, how)
      : await runTask('lockfile', { text: document as string, filename: requireLockfileName(input), page }, how);
  if (read === null) throw fieldError(form, problem);
  return read;
}

function requireLockfileName({ filename }: RawInput): string {
  if (typeof filename === 'string' && filename.trim() !== '') return filename.trim();
  throw fieldError('filename', 'missing: the name of the lockfile says its format, for example package-lock.json');
}

function fieldError(field: string, msg: string): ApiError {
  return validationError([{ loc: ['body', field], msg, type: 'value_error' }]);
}

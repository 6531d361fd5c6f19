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

/** Most packages that one call may have, and that are taken of a document where the call does not say how many. */
export const MAX_PACKAGES_PER_CALL = 50;
/** Most packages of a document that one call may ask for. */
export const MAX_PACKAGES_PER_DOCUMENT = 5000;

const PACKAGE_INPUT_FORMS = ['packages', 'purls', 'sbom', 'lockfile'] as const;

type RawInput = Record<string, unknown>;

/** The input after its packages were parsed; independent of the form they came in. */
interface ParsedPackagesInput extends RawInput {
  packages: PackageRef[];
  document: Omit<DocumentPackages, 'packages'>;
}

/**
 * Parses the packages of the input; the cost of a call depends on their number. Of a document the packages from `offset` on are
 * taken, at most `limit`. Throws `ApiError` 422. Idempotent: parsed input is returned unchanged.
 */
export async function parsePackagesInput(input: RawInput): Promise<ParsedPackagesInput> {
  if (isParsedInput(input)) return input;
  const given = PACKAGE_INPUT_FORMS.filter((form) => input[form] !== undefined);
  const [form] = given;
  if (form === undefined || given.length > 1) {
    const found = given.length === 0 ? 'none is there' : `${given.join(' and ')} are there`;
    throw fieldError(given[1] ?? 'packages', `give exactly one of ${PACKAGE_INPUT_FORMS.join(', ')}: ${found}`);
  }
  if (form !== 'lockfile' && input['filename'] !== undefined)
    throw fieldError('filename', 'it goes with lockfile alone');
  if (form === 'sbom' || form === 'lockfile') {
    const { packages, ...document } = await readDocumentPackages(form, input);
    return { packages, document };
  }
  if (input['offset'] !== 0) throw fieldError('offset', 'it goes with sbom and lockfile alone');
  if (input['limit'] !== undefined) throw fieldError('limit', 'it goes with sbom and lockfile alone');
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
  const page = {
    offset: input['offset'] as number,
    limit: (input['limit'] as number | undefined) ?? MAX_PACKAGES_PER_CALL,
  };
  const taskOptions = typeof document === 'string' ? { inputSize: document.length } : {};
  const { read, error } =
    form === 'sbom'
      ? await runTask('sbom', { document, page }, taskOptions)
      : await runTask(
          'lockfile',
          { text: document as string, filename: requireLockfileName(input), page },
          taskOptions,
        );
  if (read === null) throw fieldError(form, error);
  return read;
}

function requireLockfileName({ filename }: RawInput): string {
  if (typeof filename === 'string' && filename.trim() !== '') return filename.trim();
  throw fieldError('filename', 'missing: the name of the lockfile says its format, for example package-lock.json');
}

function fieldError(field: string, msg: string): ApiError {
  return validationError([{ loc: ['body', field], msg, type: 'value_error' }]);
}

import { LANGUAGES } from '../../analysis/injection/languages.ts';
import { LOCKFILE_FORMATS } from '../../analysis/packages/read-document.ts';
import { formatNumber } from '../../engine/summary.ts';
import { MAX_TOTAL_CHARS } from '../../operations/code/check-headers.ts';
import { MAX_CODE_BYTES } from '../../operations/code/lib/code-check-fields.ts';
import { MAX_PACKAGES_PER_CALL, MAX_PACKAGES_PER_DOCUMENT } from '../../operations/code/lib/parse-packages-input.ts';
import { html, type Html } from '../html.ts';
import { formatOptions } from './downloads.ts';
import { MAX_FILES } from './given-text.ts';

/** What an address gave, to be changed and asked again. */
export interface FormValues {
  readonly text?: string;
  readonly kind?: string;
  readonly package?: string;
  readonly product?: string;
  readonly version?: string;
}

/** The box for texts and files. */
export function checkForm({ text = '', kind = '' }: FormValues = {}): Html {
  return html`<form id="paste" class="check-form" method="post" action="/check" enctype="multipart/form-data">
<p><label for="check-text">Lockfile, SBOM, list of packages, response headers, or code</label>
<textarea id="check-text" name="text" rows="12" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="check-limits" data-drop>
${text}</textarea></p>
<div class="form">
<label>or files <input type="file" name="file" multiple data-drop-files></label>
<label>It is <select name="kind">${kindOptions(kind)}</select></label>
<label>Answer with <select name="format">${formatOptions()}</select></label>
<button>Check</button>
</div>
<p id="check-limits" class="note"><strong>Nothing is stored</strong>, logged or sent on. The form takes ${MAX_FILES} files and 1 MiB in all. Lockfiles and SBOMs: ${formatNumber(MAX_PACKAGES_PER_DOCUMENT)} packages each; a list: ${MAX_PACKAGES_PER_CALL}; response headers: ${MAX_TOTAL_CHARS / 1024} KiB; code, and text that is not recognised: ${MAX_CODE_BYTES / 1024} KiB each. It costs a token for each package, one for headers, two for a file of code.</p>
</form>`;
}

function kindOptions(chosen: string): Html {
  const option = (value: string, name = value): Html =>
    html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>`;
  return html`${option('', 'as recognised')}
<optgroup label="Packages">${LOCKFILE_FORMATS.map((format) => option(format))}${option('sbom', 'SBOM: CycloneDX, SPDX')}${option('packages', 'package URLs, or name@version')}</optgroup>
<optgroup label="Web">${option('headers', 'response headers')}</optgroup>
<optgroup label="Code">${LANGUAGES.map(({ name }) => option(name))}${option('text', 'any text: secrets only')}</optgroup>`;
}

/** The question about one package, whose answer has a link of its own. */
export function packageForm({ package: name = '' }: FormValues = {}): Html {
  return html`<form class="form" id="package" action="/check">
<label>Package and version <input name="purl" value="${name}" required maxlength="512" size="36" placeholder="pkg:npm/express@4.16.0" autocomplete="off" spellcheck="false"></label>
<button>Is it affected?</button></form>`;
}

/** The question about one version of a product. */
export function productForm({ product = '', version = '' }: FormValues = {}): Html {
  return html`<form class="form" id="product" action="/check">
<label>Product <input name="product" value="${product}" required maxlength="256" placeholder="openssl" autocomplete="off" spellcheck="false"></label>
<label>Version <input name="version" value="${version}" required maxlength="256" size="12" placeholder="1.1.1k" autocomplete="off" spellcheck="false"></label>
<button>Is it affected?</button></form>`;
}

/** What can be read, and what cannot. */
export function recognised(): Html {
  return html`<section id="recognised"><h2>What is recognised</h2>
<dl class="facts">
<dt>Lockfiles</dt><dd>${LOCKFILE_FORMATS.join(', ')}</dd>
<dt>SBOM</dt><dd>CycloneDX (JSON, XML), SPDX 2 and 3</dd>
<dt>Lists</dt><dd>a package URL or name@version a line</dd>
<dt>Headers</dt><dd>of a response, as <code>curl -i</code> prints them</dd>
<dt>Code</dt><dd>parsed: ${LANGUAGES.map(({ name }) => name).join(', ')}; line by line: any other. Secrets are found in any text.</dd>
</dl></section>`;
}

import type { FixGuide } from '../../analysis/fix-guide.ts';
import { html, type Html } from '../html.ts';
import { copyBlock } from '../parts/evidence-foot.ts';

/** What to know, what to paste, and how to see that it worked. `id` begins the ids of what can be copied. */
export function drawGuide(id: string, { records, file, caution, needed, verify }: FixGuide): Html {
  return html`${needed !== null && html`<p><strong>Needed:</strong> ${needed}</p>`}
${caution !== null && html`<p><strong>Take care:</strong> ${caution}</p>`}
${file !== null && html`<p class="note">File to serve over HTTPS</p>${copyBlock(`paste-${id}-url`, 'Address', file.url)}${copyBlock(`paste-${id}-file`, 'Content', file.content.trimEnd())}`}
${records.map(
  ({ type, name, value, replaces }, at) =>
    html`<p class="note">${type} record${replaces && ', in place of the one there'}</p>${copyBlock(`paste-${id}-name-${at}`, 'Name', name)}${copyBlock(`paste-${id}-${at}`, 'Value', value)}`,
)}
${
  verify.length > 0 &&
  html`<p class="note">To see that it worked</p>${verify.map(
    ({ command, expect }, at) =>
      html`${copyBlock(`verify-${id}-${at}`, 'Run', command)}<p class="note">It prints ${expect}.</p>`,
  )}`
}`;
}

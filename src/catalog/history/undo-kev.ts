import type { FieldChange } from '../../analysis/cve/field-change.ts';
import type { KevEntry } from '../../feeds/entries.ts';

/** An entry of the known-exploited catalog without these changes (newest first); of one that was removed the changes hold only a part. */
export function undoKev(cveId: string, given: KevEntry | null, changes: readonly FieldChange[]): KevEntry | null {
  let entry = given;
  for (const { kind, field, before } of changes) {
    if (kind !== 'kev') continue;
    if (field !== 'entry') entry = entry && { ...entry, [field]: before ?? (field === 'cwes' ? [] : before) };
    else entry = before === null ? null : { ...NO_DETAILS, ...(before as object), cve_id: cveId };
  }
  return entry;
}

/** What is not recorded of an entry that was removed. */
const NO_DETAILS: KevEntry = {
  cve_id: '',
  vendor_project: '',
  product: '',
  vulnerability_name: '',
  date_added: '',
  due_date: null,
  required_action: '',
  short_description: '',
  known_ransomware_use: false,
  notes: null,
  cwes: [],
};

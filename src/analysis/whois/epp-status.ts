/** EPP status codes: of domains (RFC 5731, 2.3) and of grace periods (RFC 3915, 3.1). */
const EPP_STATUS_CODES = [
  'addPeriod',
  'autoRenewPeriod',
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'inactive',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingRenew',
  'pendingRestore',
  'pendingTransfer',
  'pendingUpdate',
  'redemptionPeriod',
  'renewPeriod',
  'serverDeleteProhibited',
  'serverHold',
  'serverRenewProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
  'transferPeriod',
];

/** Other spellings that registries have for a code, in lower case, letters only. */
const STATUS_ALIASES: Readonly<Record<string, string>> = {
  stclupdateprohibited: 'clientUpdateProhibited',
  stcldeleteprohibited: 'clientDeleteProhibited',
  stcltransferprohibited: 'clientTransferProhibited',
  stclrenewprohibited: 'clientRenewProhibited',
  stclhold: 'clientHold',
};

const CODE_BY_LETTERS = new Map([
  ...EPP_STATUS_CODES.map((code) => [code.toLowerCase(), code] as const),
  ...Object.entries(STATUS_ALIASES),
]);

/** The EPP code of a status, also in another case or with spaces (RDAP, RFC 8056); null: not an EPP status. */
export function parseEppStatus(text: string): string | null {
  return CODE_BY_LETTERS.get(text.toLowerCase().replace(/[^a-z]/g, '')) ?? null;
}

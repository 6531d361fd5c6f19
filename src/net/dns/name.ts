const MAX_NAME_LENGTH = 253;
const LABEL_PATTERN = /^[\x21-\x2d\x2f-\x5b\x5d-\x7e]{1,63}$/;

/** Whether a normalized name can be queried (RFC 1035, 2.3.4): labels of 1 to 63 visible ASCII characters, 253 in total. */
export function isValidDnsName(name: string): boolean {
  return (
    name === '.' || (name.length <= MAX_NAME_LENGTH && name.split('.').every((label) => LABEL_PATTERN.test(label)))
  );
}

import { VERSION } from '../version.ts';

/** The product token (RFC 9110, 10.1.5) by which servers and robots.txt files know this service. */
export const PRODUCT_TOKEN = 'Sextant';

export const USER_AGENT = `${PRODUCT_TOKEN}/${VERSION}`;

import { parseIp } from '../ip-address.ts';
import { isQueryableName, type MailDns, type MxRecord } from './mail-dns.ts';

/** What is wrong with MX records. */
export interface MxProblems {
  /** Hosts that have neither A nor AAAA records. */
  withoutAddress: readonly string[];
  /** Records that name no host, in words. */
  malformed: readonly string[];
}

const MAX_HOSTS = 10;

/** Checks the first hosts of MX records (RFC 5321, section 5.1; RFC 7505). A host about which the DNS does not answer is no problem. */
export async function lookUpMxProblems(mx: readonly MxRecord[], dns: MailDns): Promise<MxProblems> {
  const hosts = [...new Set(mx.map(({ exchange }) => exchange).filter((host) => host !== ''))];
  const named = hosts.filter((host) => parseIp(host) === null && isQueryableName(host));
  const found = await Promise.all(
    named.slice(0, MAX_HOSTS).map(async (host) => {
      const [four, six] = await Promise.all([dns.a(host), dns.aaaa(host)]);
      return four?.length === 0 && six?.length === 0 ? host : null;
    }),
  );
  const isNullAmongOthers = hosts.length > 0 && mx.some(({ exchange }) => exchange === '');
  return {
    withoutAddress: found.filter((host) => host !== null),
    malformed: [
      ...hosts.filter((host) => !named.includes(host)).map((host) => `${host} is no host name`),
      ...(isNullAmongOthers ? ['a null MX among others'] : []),
    ],
  };
}

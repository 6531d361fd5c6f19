import { z } from 'zod';
import { SEVERITIES } from '../../../analysis/severity.ts';
import { isPublicIp } from '../../../analysis/ip-address.ts';
import type { Context } from '../../../engine/context.ts';
import { type IpReputation, lookUpIpReputation } from '../../ip/lib/ip-reputation.ts';

const MAX_ADDRESSES = 4;

/** Short reputation of an address that a domain resolves to. */
export const AddressReputation = z.object({
  ip: z.string(),
  severity_label: z.enum([...SEVERITIES, 'UNKNOWN']),
  risk_score: z.number().int().nullable(),
  listed_on: z.array(z.string()).nullable().meta({ description: 'null: no list has been synced.' }),
  cloud_provider: z.string().nullable(),
  vulnerabilities: z
    .object({
      total: z.number().int(),
      exploited: z.number().int().nullable().meta({ description: 'null: no known-exploited catalog is loaded.' }),
    })
    .nullable(),
});
export type AddressReputation = z.output<typeof AddressReputation>;

/** Reputation of the first public addresses. */
export async function lookUpAddressReputations(
  context: Context,
  addresses: readonly string[],
): Promise<AddressReputation[]> {
  const known = addresses.filter(isPublicIp).slice(0, MAX_ADDRESSES);
  return Promise.all(known.map(async (ip) => toAddressReputation(ip, await lookUpIpReputation(context, ip))));
}

function toAddressReputation(
  ip: string,
  { lists, exposure, severity_label, risk_score }: IpReputation,
): AddressReputation {
  const { tor, firehol, feodo, cloud } = lists;
  const names = [
    tor === true && 'the list of Tor exits',
    firehol === true && 'FireHOL level 1',
    feodo === true && 'Feodo Tracker',
  ];
  return {
    ip,
    severity_label,
    risk_score,
    listed_on:
      tor === null && firehol === null && feodo === null ? null : names.filter((name) => typeof name === 'string'),
    cloud_provider: cloud?.list.split('/')[1] ?? null,
    vulnerabilities:
      exposure.vulns === null || exposure.total_vulns === null
        ? null
        : { total: exposure.total_vulns, exploited: countExploited(exposure.vulns) },
  };
}

/** Null where one of them could not be looked up in the known-exploited catalog. */
function countExploited(vulns: NonNullable<IpReputation['exposure']['vulns']>): number | null {
  if (vulns.some(({ in_kev }) => in_kev === null)) return null;
  return vulns.filter(({ in_kev }) => in_kev === true).length;
}

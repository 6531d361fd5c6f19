import { findTakeoverService } from './takeover-services.ts';

/** An alias that leads to a service, or nowhere. */
export interface AliasFacts {
  /** The last name of the chain of aliases. */
  alias: string;
  /** That name exists. */
  exists: boolean;
  /** The registrable domain of the alias exists; null: not asked, or not answered. */
  registrableExists: boolean | null;
  /** Start of what the site answers; null: not fetched. */
  pageText: string | null;
}

/** A name that somebody else may be able to take over. */
export interface Takeover {
  /** Null: no service; the domain that the alias points to can be registered by anybody. */
  service: string | null;
  /** `high`: the sign of an unclaimed name is there, and anybody can claim one. `medium`: the sign is there, and the service asks for more before it gives a name away. `low`: the target of the alias does not exist. */
  certainty: 'high' | 'medium' | 'low';
  /** What was seen. */
  evidence: string;
}

/** Whether an alias can be taken over; null: nothing speaks for it. */
export function assessTakeover({ alias, exists, registrableExists, pageText }: AliasFacts): Takeover | null {
  if (!exists && registrableExists === false)
    return { service: null, certainty: 'high', evidence: 'the domain of the alias is not registered' };
  const found = findTakeoverService(alias);
  if (found === null)
    return exists
      ? null
      : { service: null, certainty: 'low', evidence: 'the name that it is an alias of does not exist' };
  const { service, claimable } = found;
  const certainty = claimable === 'yes' ? 'high' : 'medium';
  if (!exists)
    return {
      service,
      certainty: found.nxdomain ? certainty : 'low',
      evidence: `the name at ${service} does not exist`,
    };
  if (found.pageText !== null && pageText?.toLowerCase().includes(found.pageText.toLowerCase()) === true)
    return { service, certainty, evidence: `${service} answers "${found.pageText}"` };
  return null;
}

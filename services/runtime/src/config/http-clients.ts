import { isIP } from 'node:net';
import { integer, list } from './variable.js';

/** The proxies and connections of a process that browsers or agents reach. */
export function clientVariables(connections: number, perAddress: number) {
  return {
    TRUSTED_PROXIES: list({
      accepts: isAddressOrBlock,
      of: 'addresses or CIDR blocks',
      description: 'whose X-Forwarded-* headers count',
    }),
    MAX_CONNECTIONS: integer({
      min: 10,
      max: 100_000,
      default: connections,
      description: 'open connections; more get a 503',
    }),
    CONNECTIONS_PER_ADDRESS: integer({
      min: 5,
      max: 100_000,
      default: perAddress,
      description: 'open connections of one client address, an IPv6 /64 counting as one; trusted proxies have no bound',
    }),
  };
}

function isAddressOrBlock(item: string): boolean {
  const [address = '', bits, ...more] = item.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

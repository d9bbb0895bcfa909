import { isIP } from 'node:net';
import { integer, list } from './variable.js';

/** The proxies and connections of a process that browsers or agents reach. */
export function clientVariables(connections: number, perAddress: number) {
  return {
    TRUSTED_PROXIES: list({
      accepts: isAddressOrBlock,
      of: 'addresses or CIDR blocks no wider than /8 (IPv6: /7)',
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
      description:
        'open connections of one client address, an IPv6 /64 counting as one, a /56 as 4 and a /48 as 16; trusted proxies have no bound',
    }),
  };
}

function isAddressOrBlock(item: string): boolean {
  const [address = '', bits, ...more] = item.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return false;
  // A wider block holds clients too: each would choose the address that its limits count.
  const [widest, narrowest] = version === 4 ? [8, 32] : [7, 128];
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= widest && Number(bits) <= narrowest);
}

import { isIP } from 'node:net';
import { list } from './variable.js';

/** The proxies in front of a process that browsers or agents reach. */
export const proxyVariables = {
  TRUSTED_PROXIES: list({
    accepts: isAddressOrBlock,
    of: 'addresses or CIDR blocks',
    description: 'whose X-Forwarded-* headers count',
  }),
};

function isAddressOrBlock(item: string): boolean {
  const [address = '', bits, ...more] = item.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

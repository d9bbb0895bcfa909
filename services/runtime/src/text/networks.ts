import ipaddr from 'ipaddr.js';

/** A network around an address, and how many times the limit of one address holds for all of it. */
export interface Bucket {
  readonly network: string;
  readonly factor: number;
}

/**
 * The networks that count an address, the narrowest first. Of IPv4 it is the address. An owner of IPv6 addresses has a
 * /64, a /56 or a /48, and may be one household or one company, so the wider ones have more room.
 */
export function bucketsOf(address: string): readonly Bucket[] {
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return [{ network: parsed.toString(), factor: 1 }];
  const [one = 0, two = 0, three = 0, four = 0] = parsed.parts;
  return [
    { bits: 64, last: four, factor: 1 },
    { bits: 56, last: four & 0xff00, factor: 4 },
    { bits: 48, last: 0, factor: 16 },
  ].map(({ bits, last, factor }) => {
    const groups = [one, two, three, last].map((part) => part.toString(16)).join(':');
    return { network: `${groups}::/${bits}`, factor };
  });
}

/** The widest network that one owner has: an IPv4 address, or the /48 of an IPv6 address. */
export function ownerNetworkOf(address: string): string {
  return bucketsOf(address).at(-1)?.network ?? address;
}

/** The network of one customer: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  return bucketsOf(address)[0]?.network ?? address;
}

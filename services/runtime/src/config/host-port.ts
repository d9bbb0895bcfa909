/** The parts of a `host:port`. An IPv6 host has no brackets. */
export function splitAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}

/** The `host:port` of these parts, as it stands in a URL. The host may have brackets. */
export function joinAddress(host: string, port: number): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Listens at a `host:port`. Where the system has no IPv6, `[::]` means all its IPv4 addresses. */
export async function listenAt<Result>(
  address: string,
  listen: (host: string, port: number) => Promise<Result>,
): Promise<Result> {
  const { host, port } = splitAddress(address);
  try {
    return await listen(host, port);
  } catch (error) {
    if (host !== '::' || !/EAFNOSUPPORT|EADDRNOTAVAIL/.test((error as Error).message)) throw error;
    return listen('0.0.0.0', port);
  }
}

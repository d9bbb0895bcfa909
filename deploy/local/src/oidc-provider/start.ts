import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger, joinAddress, listenAt, type RunningProcess } from '@knowledge/runtime';
import { createProvider, type ProviderOptions } from './provider.js';

export interface StartOptions extends ProviderOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
}

/** Starts the OpenID provider for trying. */
export async function startProvider({ host, port, ...options }: StartOptions): Promise<RunningProcess> {
  const log = createLogger({ name: 'oidc-provider' });
  const provider = createProvider(options);
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'a request failed'));
  const server = createServer(provider.callback());
  await listenAt(joinAddress(host, port), (at, to) => once(server.listen(to, at), 'listening'));
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { address: `http://${joinAddress(host, (server.address() as AddressInfo).port)}`, log, close };
}

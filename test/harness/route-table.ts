import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Running } from '@knowledge/runtime';

/** The paths of every route of the gateway, as its application registers them. */
export async function routePaths(): Promise<string[]> {
  const paths = new Set<string>();
  const onCreated = (message: unknown): void => {
    const { fastify } = message as { fastify: Hooked };
    fastify.addHook('onRoute', ({ url }) => void paths.add(url));
  };
  subscribe('fastify.initialization', onCreated);
  try {
    const main = new URL('../../gateway/dist/index.js', import.meta.url);
    const { start } = (await import(main.href)) as { start(env: object): Promise<Running> };
    const running = await start({ HTTP_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' });
    await running.close();
  } finally {
    unsubscribe('fastify.initialization', onCreated);
  }
  return [...paths];
}

interface Hooked {
  addHook(name: 'onRoute', hook: (route: { url: string }) => void): void;
}

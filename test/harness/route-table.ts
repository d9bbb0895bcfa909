import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { RunningProcess } from '@knowledge/runtime';

/** Lists every route of the gateway or the web desk, for example `GET /articles/:slug`. */
export async function routes(of: 'gateway' | 'desk' = 'gateway'): Promise<string[]> {
  const found = new Set<string>();
  const onCreated = (message: unknown): void => {
    const { fastify } = message as { fastify: Hooked };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) found.add(`${each} ${url}`);
    });
  };
  subscribe('fastify.initialization', onCreated);
  try {
    const main = new URL(
      `../../${of === 'gateway' ? 'gateway/src' : 'services/desk/src/web'}/service.ts`,
      import.meta.url,
    );
    const { start } = (await import(main.href)) as { start(env: object): Promise<RunningProcess> };
    const here = { HTTP_ADDRESS: '127.0.0.1:0', DESK_ADDRESS: '127.0.0.1:0', SIGN_IN_CODES: 'allow' };
    const running = await start({ ...here, LOG_LEVEL: 'silent' });
    await running.close();
  } finally {
    unsubscribe('fastify.initialization', onCreated);
  }
  return [...found];
}

interface Hooked {
  addHook(name: 'onRoute', hook: (route: { method: string | string[]; url: string }) => void): void;
}

import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { type ManagedProcess, startProcess } from './managed-process.js';
import { until } from './until.js';

/** A gateway that runs without services. */
export interface LoneGateway {
  readonly url: string;
  readonly process: ManagedProcess;
}

/** Starts a gateway without services. By default its public URLs are its own address. */
export async function startLoneGateway(env: Record<string, string> = {}): Promise<LoneGateway> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const nowhere = `127.0.0.1:${await freePort()}`;
  const main = new URL('../../gateway/bundle/main.js', import.meta.url);
  const process_ = await startProcess({
    name: 'gateway',
    command: [process.execPath, fileURLToPath(main)],
    env: {
      HTTP_ADDRESS: new URL(url).host,
      CONTENT_ADDRESS: nowhere,
      QUOTA_ADDRESS: nowhere,
      IDENTITY_ADDRESS: nowhere,
      CONTRIBUTIONS_ADDRESS: nowhere,
      PUBLIC_URL_IO: url,
      PUBLIC_URL_ORG: url,
      OPERATOR_NAME: 'Example Ltd',
      OPERATOR_CONTACT: 'help@knowledge.example',
      PRIVACY_URL: 'https://knowledge.example/privacy',
      CONTINUATION_KEY: 'a key that only this lone gateway of a test has',
      ...env,
    },
    ready: async () => {
      await until(
        'the gateway to answer',
        async () => (await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).ok,
        90_000,
      );
    },
  });
  return { url, process: process_ };
}

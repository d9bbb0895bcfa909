import {
  address,
  type Config,
  choice,
  type Environment,
  httpServiceVariables,
  integer,
  openPublicUrl,
  operatorFaults,
  operatorVariables,
  publicUrlFaults,
  publicUrlVariables,
  readConfig,
  sites,
  string,
} from '@knowledge/runtime';
import { grpcClientFaults } from '@knowledge/runtime/grpc';
import { telemetryVariables } from '@knowledge/runtime/telemetry';

const specification = {
  ...httpServiceVariables(2_000, 500),
  ...telemetryVariables,
  ...operatorVariables,
  ...publicUrlVariables,
  HTTP_ADDRESS: address({ default: '127.0.0.1:8080', description: 'where the gateway listens' }),
  DEFAULT_SITE: choice(sites, { default: 'org' }),
  CONTINUATION_KEY: string({
    optional: true,
    secret: true,
    min: 32,
    max: 1024,
    description: 'signs what is left of a read; the same for all gateways',
  }),
  HOLD_MEGABYTES: integer({ min: 1, max: 65_536, default: 256, description: 'memory for cached responses' }),
  PAGES_PER_ADDRESS: integer({ min: 1, max: 1_000_000, default: 120, description: 'human pages a minute and address' }),
  HSTS_SECONDS: integer({ min: 0, max: 63_072_000, default: 0, description: 'browsers keep to HTTPS; 0 is off' }),
};

export type GatewayConfig = Config<typeof specification>;

/** Reads the gateway's settings; throws a ConfigError that names every fault. */
export function readGatewayConfig(env: Environment): GatewayConfig {
  return readConfig(env, specification, (config) => [
    ...grpcClientFaults(config),
    ...operatorFaults(config),
    ...publicUrlFaults(config),
    ...continuationFaults(config),
    ...hstsFaults(config),
  ]);
}

// A gateway that is alone on its machine makes its own key. Several must accept each other's continuations.
function continuationFaults(config: GatewayConfig) {
  const open = openPublicUrl(config);
  if (open === undefined || config.CONTINUATION_KEY !== undefined) return [];
  return [
    `CONTINUATION_KEY is missing; every gateway of ${open} needs the same 32 or more random characters, for example of \`openssl rand -hex 32\``,
  ];
}

function hstsFaults({ HSTS_SECONDS, PUBLIC_URL_IO, PUBLIC_URL_ORG }: GatewayConfig) {
  const plain = [PUBLIC_URL_IO, PUBLIC_URL_ORG].find((url) => !url.startsWith('https:'));
  if (HSTS_SECONDS === 0 || plain === undefined) return [];
  return [`HSTS_SECONDS is ${HSTS_SECONDS}, but readers come to ${plain}; expected 0, or https in both PUBLIC_URL_*`];
}

import { ConfigError } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { readGatewayConfig } from './config.js';

it('a wrong configuration gives one error that names every fault', () => {
  const env = {
    HTTP_ADDRESS: 'nowhere',
    TRUSTED_PROXIES: '10.0.0.0/99',
    PUBLIC_URL_IO: 'ftp://x',
    HOLD_MEGABYTES: '0',
  };
  const read = () => readGatewayConfig(env);
  expect(read).toThrow(ConfigError);
  for (const name of Object.keys(env)) expect(read).toThrow(name);
});

it('a trusted proxy is an address or a CIDR block', () => {
  expect(readGatewayConfig({ TRUSTED_PROXIES: '10.0.0.0/8, fc00::/7' }).TRUSTED_PROXIES).toEqual([
    ...['10.0.0.0/8', 'fc00::/7'],
  ]);
  expect(() => readGatewayConfig({ TRUSTED_PROXIES: '0:0:0:0:0:ffff:10.0.0.0/104' })).toThrow('TRUSTED_PROXIES');
});

it('a gateway that others reach needs the key that all gateways share', () => {
  const open = {
    PUBLIC_URL_ORG: 'https://x.example',
    OPERATOR_NAME: 'A',
    OPERATOR_CONTACT: 'a@x.example',
    PRIVACY_URL: 'https://x.example/privacy',
  };
  expect(() => readGatewayConfig(open)).toThrow('CONTINUATION_KEY is missing');
  expect(() => readGatewayConfig({ ...open, CONTINUATION_KEY: 'short' })).toThrow('32 to 1024 characters');
  expect(readGatewayConfig({ ...open, CONTINUATION_KEY: 'k'.repeat(32) }).CONTINUATION_KEY).toHaveLength(32);
  expect(readGatewayConfig({}).CONTINUATION_KEY).toBeUndefined();
});

it('a base URL with a query is refused', () => {
  for (const PUBLIC_URL_ORG of ['https://x.example/?a=b', 'https://x.example?', 'https://:p@x.example'])
    expect(() => readGatewayConfig({ PUBLIC_URL_ORG })).toThrow('PUBLIC_URL_ORG has a query');
  expect(() => readGatewayConfig({ PUBLIC_URL_ORG: 'https://x.example' })).toThrow('OPERATOR_CONTACT is missing');
});

it('HSTS needs https on both sites', () => {
  const https = { HSTS_SECONDS: '60', PUBLIC_URL_IO: 'https://localhost', PUBLIC_URL_ORG: 'https://org.localhost' };
  expect(readGatewayConfig(https).HSTS_SECONDS).toBe(60);
  expect(() => readGatewayConfig({ ...https, PUBLIC_URL_ORG: 'http://localhost:1' })).toThrow(
    'HSTS_SECONDS is 60, but readers come to http://localhost:1; expected 0, or https in both PUBLIC_URL_*',
  );
});

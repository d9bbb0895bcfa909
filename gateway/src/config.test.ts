import { ConfigError } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { readGatewayConfig } from './config.js';

it('one error names every fault of a configuration', () => {
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

it('trusted proxies are addresses and CIDR blocks', () => {
  expect(readGatewayConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
});

it('a base URL with a query is refused', () => {
  expect(() => readGatewayConfig({ PUBLIC_URL_ORG: 'https://x.example/?a=b' })).toThrow('PUBLIC_URL_ORG');
  expect(() => readGatewayConfig({ PUBLIC_URL_ORG: 'https://x.example' })).toThrow('OPERATOR_CONTACT is missing');
});

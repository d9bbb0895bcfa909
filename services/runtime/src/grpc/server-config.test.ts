import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  type Environment,
  grpcServerVariables,
  grpcTlsVariables,
  readConfig,
} from '../config/read-config.js';
import { address } from '../config/variable.js';
import { grpcClientFaults, grpcServerFaults } from './serve.js';

const faultsOf = (read: () => unknown): readonly string[] => {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};
const serving = (env: Environment) =>
  faultsOf(() =>
    readConfig(env, { ...grpcServerVariables, GRPC_ADDRESS: address({ default: '127.0.0.1:0' }) }, grpcServerFaults),
  );
const calling = (env: Environment) => faultsOf(() => readConfig(env, grpcTlsVariables, grpcClientFaults));

const pair = { GRPC_TLS_CERT_FILE: '/tls/tls.crt', GRPC_TLS_KEY_FILE: '/tls/tls.key' };
const authority = { GRPC_TLS_CA_FILE: '/tls/ca.crt' };
const beyond = { GRPC_ADDRESS: '0.0.0.0:50051' };

describe('a server', () => {
  it.each<[string, Environment]>([
    ['loopback', {}],
    ['mutual TLS', { ...beyond, ...pair, ...authority, GRPC_ACCESS: 'robot=*' }],
    ['TLS', { ...beyond, ...pair }],
    ['texts', { ...beyond, GRPC_TLS_CERT: 'a', GRPC_TLS_KEY: 'b', GRPC_TLS_CA: 'c' }],
    ['plaintext on purpose', { ...beyond, GRPC_PLAINTEXT: 'true', HEALTH_ADDRESS: '0.0.0.0:8081' }],
  ])('may be set to %s', (_what, env) => {
    expect(serving(env)).toEqual([]);
  });

  it.each<[string, Environment, RegExp]>([
    ['half a pair', { ...authority, GRPC_TLS_CERT_FILE: 'x' }, /^GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE must both/],
    ['an authority alone', authority, /^GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE must both/],
    ['plaintext beyond loopback', beyond, /^GRPC_ADDRESS is 0\.0\.0\.0:50051, beyond loopback; expected TLS/],
    ['plaintext and TLS', { ...pair, GRPC_PLAINTEXT: 'true' }, /^GRPC_PLAINTEXT is true and GRPC_TLS_\* are set/],
    ['a text and a file', { ...pair, GRPC_TLS_KEY: 'x' }, /^GRPC_TLS_KEY and GRPC_TLS_KEY_FILE are both set/],
    ['access without names', { GRPC_ACCESS: 'robot=*' }, /^GRPC_ACCESS is set without mutual TLS/],
    ['an unknown method', { ...pair, ...authority, GRPC_ACCESS: 'a=b.C/D' }, /^GRPC_ACCESS has b\.C\/D; expected/],
    ['a drain that is too long', { DRAIN_DELAY_SECONDS: '16' }, /^DRAIN_DELAY_SECONDS is "16"; expected a number of/],
    ['no address for probes', { HEALTH_ADDRESS: '8081' }, /^HEALTH_ADDRESS is "8081"; expected an address like/],
  ])('with %s is told so', (_what, env, fault) => {
    expect(serving(env)).toEqual([expect.stringMatching(fault)]);
  });
});

it('a client needs an authority, and either certificate and key or neither', () => {
  expect(calling({})).toEqual([]);
  expect(calling(authority)).toEqual([]);
  expect(calling({ ...pair, ...authority })).toEqual([]);
  expect(calling(pair)).toEqual(['GRPC_TLS_CA_FILE must be set to call gRPC with TLS']);
  expect(calling({ ...authority, GRPC_TLS_KEY: 'x' })).toEqual([expect.stringMatching(/must be set both or not/)]);
});

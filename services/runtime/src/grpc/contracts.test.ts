import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Client, credentials } from '@grpc/grpc-js';
import { GetTokenResponse, IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { afterEach, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../errors/catalogue.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { connectGrpc, serviceConfigOf } from './connect.js';
import { idempotentMethods } from './definition.js';
import { implement } from './implement.js';
import { call, closeFixtures, later, serve } from './serving.fixture.js';

afterEach(closeFixtures);

// The proto allows repeated calls of the first method (NO_SIDE_EFFECTS), but not of the second.
const { getToken, exchangeDeviceCode } = IdentityServiceService;
const definition = { getToken, exchangeDeviceCode } as const;

it.each<[string, 'getToken' | 'exchangeDeviceCode', number, ErrorCode, number, string]>([
  ['hides a short outage from callers of an idempotent method', 'getToken', 2, 'unavailable', 3, 'done'],
  ['gives up after three attempts', 'getToken', 9, 'unavailable', 3, 'unavailable: Later.'],
  ['is never made for a method that is not', 'exchangeDeviceCode', 1, 'unavailable', 1, 'unavailable: Later.'],
  ['is never made for another error', 'getToken', 1, 'read_quota_exceeded', 1, 'read_quota_exceeded: Later.'],
])('a retry %s', async (_, method, failures, code, attempts, outcome) => {
  let made = 0;
  const attempt = async (): Promise<never> => {
    if (++made <= failures) throw new KnowledgeError(code, 'Later.');
    return GetTokenResponse.fromPartial({}) as never;
  };
  const service = implement(definition, { getToken: attempt, exchangeDeviceCode: attempt });
  const client = connectGrpc(definition, { address: (await serve({ services: [service] })).address });
  later(() => client.close());
  const called = client[method]({ tokenId: 'x', deviceCode: 'x' }, call).then(() => 'done');
  expect(await called.catch((error: KnowledgeError) => `${error.code}: ${error.message}`)).toBe(outcome);
  expect(made).toBe(attempts);
});

describe('the service config', () => {
  it('lists the methods that the proto declares idempotent', () => {
    const methods = idempotentMethods('knowledge.identity.v1.IdentityService');
    expect(methods).toContain('GetToken');
    expect(methods).not.toContain('ExchangeDeviceCode');
    expect(idempotentMethods('knowledge.unknown.v1.Service')).toEqual([]);
  });

  it('uses round robin also for services without retries', () => {
    expect(serviceConfigOf('knowledge.unknown.v1.Service')).toMatchObject({
      loadBalancingConfig: [{ round_robin: {} }],
      methodConfig: [],
    });
  });
});

describe('reflection', () => {
  interface Answer {
    services: string[];
    files: Buffer[];
  }

  /** Sends a grpc.reflection.v1 request as raw bytes, since the tested library must not decode its own responses. */
  async function ask(address: string, field: number, text: string): Promise<Answer> {
    const client = new Client(address, credentials.createInsecure());
    later(() => client.close());
    const request = Buffer.concat([Buffer.from([(field << 3) | 2, text.length]), Buffer.from(text)]);
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const raw = (bytes: Buffer) => bytes;
    const stream = client.makeBidiStreamRequest<Buffer, Buffer>(path, raw, raw);
    stream.write(request);
    stream.end();
    const answer: Answer = { services: [], files: [] };
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      for (const [outer, content] of fields(bytes)) {
        for (const [, item] of fields(outer === 4 || outer === 6 ? content : Buffer.alloc(0))) {
          if (outer === 4) answer.files.push(item);
          else for (const [, name] of fields(item)) answer.services.push(name.toString());
        }
      }
    }
    return answer;
  }

  // Decodes length-delimited fields. The reflection responses in these tests contain no other fields.
  function* fields(bytes: Buffer): Generator<[number, Buffer]> {
    for (let at = 0; at < bytes.length; ) {
      const tag = bytes.readUInt8(at++);
      let length = 0;
      for (let shift = 0; ; shift += 7) {
        const next = bytes.readUInt8(at++);
        length |= (next & 0x7f) << shift;
        if (next < 0x80) break;
      }
      yield [tag >> 3, bytes.subarray(at, at + length)];
      at += length;
    }
  }

  it('lists the services of the server', async () => {
    const service = implement(definition, { getToken: fail, exchangeDeviceCode: fail });
    const { address } = await serve({ services: [service] });
    const { services } = await ask(address, 7, '*');
    expect(services.sort()).toEqual(['grpc.health.v1.Health', 'knowledge.identity.v1.IdentityService']);
  });

  it('returns the files that buf compiled, also with google.protobuf imports and maps', async () => {
    const { address } = await serve();
    for (const [symbol, file] of [
      ['knowledge.identity.v1.IdentityService', 'knowledge/identity/v1/identity.proto'],
      ['grpc.health.v1.Health', 'grpc/health/v1/health.proto'],
      ['google.rpc.ErrorInfo', 'google/rpc/error_details.proto'],
    ] as const) {
      const { files } = await ask(address, 4, symbol);
      expect(files.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name)[0]).toBe(file);
    }
    const { files } = await ask(address, 3, 'google/protobuf/timestamp.proto');
    expect(files).toHaveLength(1);
  });

  it('can be switched off', async () => {
    const { address } = await serve({ reflection: false });
    await expect(ask(address, 7, '*')).rejects.toMatchObject({ code: 12 });
  });

  async function fail(): Promise<never> {
    throw new Error('Not called.');
  }
});

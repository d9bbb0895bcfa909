import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Client, credentials } from '@grpc/grpc-js';
import { GetTokenResponse, IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { afterEach, describe, expect, it } from 'vitest';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { connectGrpc, serviceConfigOf } from './connect.js';
import { idempotentMethods } from './definition.js';
import { implement } from './implement.js';
import { call, closeFixtures, later, serve } from './serving.fixture.js';

afterEach(closeFixtures);

// The proto allows repeated calls of the first method (NO_SIDE_EFFECTS), but not of the second.
const { getToken, exchangeDeviceCode } = IdentityServiceService;
const definition = { getToken, exchangeDeviceCode } as const;

/** Starts an identity service whose first calls fail, and counts the calls. */
async function failing(times: number, error: () => unknown) {
  const calls = { getToken: 0, exchangeDeviceCode: 0 };
  const attempt = (method: keyof typeof calls): void => {
    calls[method]++;
    if (calls[method] <= times) throw error();
  };
  const service = implement(definition, {
    getToken: async () => {
      attempt('getToken');
      return GetTokenResponse.fromPartial({});
    },
    exchangeDeviceCode: async () => {
      attempt('exchangeDeviceCode');
      return { outcome: undefined };
    },
  });
  const { address } = await serve({ services: [service] });
  const client = connectGrpc(definition, { address });
  later(() => client.close());
  return { calls, client };
}

const unavailable = () => new KnowledgeError('unavailable', 'Later.');

describe('a retry', () => {
  it('hides a short outage from callers of an idempotent method', async () => {
    const { calls, client } = await failing(2, unavailable);
    await client.getToken({ tokenId: 'x' }, call);
    expect(calls.getToken).toBe(3);
  });

  it('gives up after three attempts', async () => {
    const { calls, client } = await failing(9, unavailable);
    await expect(client.getToken({ tokenId: 'x' }, call)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Later.',
    });
    expect(calls.getToken).toBe(3);
  });

  it('is never made for a method that is not idempotent', async () => {
    const { calls, client } = await failing(1, unavailable);
    await expect(client.exchangeDeviceCode({ deviceCode: 'x' }, call)).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls.exchangeDeviceCode).toBe(1);
  });

  it('is never made for an error other than UNAVAILABLE', async () => {
    const { calls, client } = await failing(1, () => new KnowledgeError('read_quota_exceeded', 'Used up.'));
    await expect(client.getToken({ tokenId: 'x' }, call)).rejects.toMatchObject({ code: 'read_quota_exceeded' });
    expect(calls.getToken).toBe(1);
  });
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
    const stream = client.makeBidiStreamRequest<Buffer, Buffer>(
      path,
      (bytes) => bytes,
      (bytes) => bytes,
    );
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
    const { address } = await serve({
      services: [implement(definition, { getToken: fail, exchangeDeviceCode: fail })],
    });
    const { services } = await ask(address, 7, '*');
    expect(services.sort()).toEqual(['grpc.health.v1.Health', 'knowledge.identity.v1.IdentityService']);
  });

  it('returns the files that buf compiled, also with google.protobuf imports and maps', async () => {
    const { address } = await serve();
    for (const symbol of ['knowledge.identity.v1.IdentityService', 'grpc.health.v1.Health', 'google.rpc.ErrorInfo']) {
      const { files } = await ask(address, 4, symbol);
      const names = files.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name);
      expect(names[0]).toBe(`${symbol.toLowerCase().split('.').slice(0, -1).join('/')}/${fileOf(symbol)}`);
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

  function fileOf(symbol: string): string {
    return symbol.includes('Identity')
      ? 'identity.proto'
      : symbol.includes('Health')
        ? 'health.proto'
        : 'error_details.proto';
  }
});

import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config/config-error.js';
import { accessTable, createAccessCheck, protoService, readAccess } from './access.js';
import { EchoService } from './echo-service.fixture.js';
import type { PeerCall } from './peer.js';

const table = accessTable(
  protoService(EchoService, { echo: ['gateway'], repeat: [], gather: ['editor'], chat: ['editor'] }),
);

describe('a table', () => {
  it('gives each caller its methods, and gives the desk all methods', () => {
    const methods = (caller: string) => [...(table.get(caller) ?? [])].filter((each) => each.startsWith('test.'));
    expect(methods('gateway')).toEqual(['test.v1.EchoService/Echo']);
    expect(methods('editor')).toEqual(['test.v1.EchoService/Gather', 'test.v1.EchoService/Chat']);
    expect(methods('desk')).toHaveLength(4);
    expect(table.get('content')).toBeUndefined();
  });

  it('lets people use reflection, but no process', () => {
    const method = 'grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    expect([...table].filter(([, methods]) => methods.has(method)).map(([caller]) => caller)).toEqual([
      'desk',
      'editor',
      'moderator',
      'support',
      'analyst',
      'operator',
      'partner',
    ]);
  });

  it('must list every method of the service and no other method', () => {
    // @ts-expect-error `chat` is missing.
    expect(() => accessTable(protoService(EchoService, { echo: [], repeat: [], gather: [] }))).toThrow(TypeError);
    // @ts-expect-error `ecco` is misspelt.
    protoService(EchoService, { echo: [], repeat: [], gather: [], chat: [], ecco: [] });
  });
});

describe('GRPC_ACCESS', () => {
  const content = 'knowledge.content.v1';

  it('accepts methods, services, `*` and `none`', () => {
    const access = readAccess(
      `editor=${content}.EditorialService/PutArticle, ${content}.PublicationService;robot = *;a=none;`,
    );
    expect([...(access.get('editor') ?? [])]).toEqual([
      `${content}.EditorialService/PutArticle`,
      `${content}.PublicationService/PublishObject`,
      `${content}.PublicationService/RetractObject`,
    ]);
    expect(access.get('robot')?.size).toBeGreaterThan(50);
    expect(access.get('a')?.size).toBe(0);
    expect(readAccess(undefined).size).toBe(0);
  });

  it.each([
    ['gateway', 'expected caller='],
    [`a=${content}.EditorialServices`, 'has knowledge.content.v1.EditorialServices'],
    [`a=${content}.EditorialService/Put`, 'has knowledge.content.v1.EditorialService/Put'],
    ['a=*;a=none', 'names a twice'],
    ['a=*;b=x.Y,z.W', 'has z.W'],
  ])('%s is a wrong configuration', (value, fault) => {
    expect(() => readAccess(value)).toThrow(ConfigError);
    expect(() => readAccess(value)).toThrow(fault);
  });
});

describe('an admission', () => {
  const admit = createAccessCheck(table);
  const from = (subjectaltname: string | undefined, CN = 'desk') =>
    ({ getAuthContext: () => ({ sslPeerCertificate: { subject: { CN }, subjectaltname } }) }) as unknown as PeerCall;

  it('uses the first DNS name of the certificate', () => {
    const echo = '/test.v1.EchoService/Echo';
    expect(() => admit(from('DNS:gateway, DNS:localhost'), echo)).not.toThrow();
    expect(() => admit(from('IP Address:127.0.0.1, DNS:gateway'), echo)).not.toThrow();
    expect(() => admit(from('DNS:content, DNS:gateway'), echo)).toThrow('content may not call');
    expect(() => admit(from('DNS:"x, DNS:gateway"'), echo)).toThrow('may not call');
    expect(() => admit(from(undefined), echo)).toThrow('A caller without a name may not call');
    expect(() => admit({ getAuthContext: () => ({}) }, echo)).toThrow('A caller without a name may not call');
  });

  it('lists the methods that the caller may call', () => {
    expect(() => admit(from('DNS:editor'), '/test.v1.EchoService/Echo')).toThrow(
      'editor may not call test.v1.EchoService/Echo; it may call EchoService/Gather, EchoService/Chat.',
    );
  });
});

import { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config/read-config.js';
import { accessTable, type CheckedCall, createAccessCheck, protoService, readAccess } from './access.js';
import { EchoService } from './serving.fixture.js';

const table = accessTable(
  protoService(EchoService, { echo: ['gateway'], repeat: [], check: ['editor'], chat: ['editor'] }),
);

describe('a table', () => {
  it('gives each caller its methods, and gives the desk all methods', () => {
    const methods = (caller: string) => [...(table.get(caller) ?? [])].filter((each) => each.startsWith('test.'));
    expect(methods('gateway')).toEqual(['test.v1.EchoService/Echo']);
    expect(methods('editor')).toEqual(['test.v1.EchoService/Check', 'test.v1.EchoService/Chat']);
    expect(methods('desk')).toHaveLength(4);
    expect(table.get('content')).toBeUndefined();
  });

  it('lets people use reflection, but no process', () => {
    const method = 'grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    expect([...table].filter(([, methods]) => methods.has(method)).map(([caller]) => caller)).toEqual([
      ...['desk', 'editor', 'moderator', 'support', 'analyst', 'operator', 'partner'],
    ]);
  });

  it('must list every method of the service and no other method', () => {
    // @ts-expect-error `chat` is missing.
    expect(() => accessTable(protoService(EchoService, { echo: [], repeat: [], check: [] }))).toThrow(TypeError);
    // @ts-expect-error `ecco` is misspelt.
    protoService(EchoService, { echo: [], repeat: [], check: [], chat: [], ecco: [] });
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
  const admit = createAccessCheck(table, { named: true });
  const from = (subjectaltname: string | undefined, CN = 'desk') => callOf({ subject: { CN }, subjectaltname });

  it('uses the first DNS name of the certificate', () => {
    const echo = '/test.v1.EchoService/Echo';
    expect(() => admit(from('DNS:gateway, DNS:localhost'), echo)).not.toThrow();
    expect(() => admit(from('IP Address:127.0.0.1, DNS:gateway'), echo)).not.toThrow();
    expect(() => admit(from('DNS:content, DNS:gateway'), echo)).toThrow('content may not call');
    expect(() => admit(from('DNS:"x, DNS:gateway"'), echo)).toThrow('may not call');
    expect(() => admit(from(undefined), echo)).toThrow('A caller without a name may not call');
    expect(() => admit(callOf(undefined), echo)).toThrow('A caller without a name may not call');
  });

  it('lists the methods that the caller may call', () => {
    expect(() => admit(from('DNS:editor'), '/test.v1.EchoService/Echo')).toThrow(
      'editor may not call test.v1.EchoService/Echo; it may call EchoService/Check, EchoService/Chat.',
    );
  });
});

describe('a role', () => {
  const roles = protoService(EchoService, {
    echo: ['gateway'],
    repeat: ['web-desk'],
    check: ['moderator', 'analyst'],
    chat: [],
  });
  const admit = createAccessCheck(accessTable(roles), { named: true });
  const plaintext = createAccessCheck(accessTable(roles), { named: false });
  const sent = (name: string | undefined, metadata: Record<string, string>) =>
    callOf(name === undefined ? undefined : { subjectaltname: `DNS:${name}` }, metadata);
  const all = ['Echo', 'Repeat', 'Check', 'Chat'];
  const admitted = (check: typeof admit, call: CheckedCall) =>
    all.filter((method) => {
      try {
        check(call, `/test.v1.EchoService/${method}`);
        return true;
      } catch {
        return false;
      }
    });

  // What the web desk calls for itself is for no role. An administrator may not call what only processes may.
  it.each([
    ['reader', ['Check']],
    ['support', []],
    ['moderator', ['Check']],
    ['reader, support', ['Check']],
    ['administrator', ['Check', 'Chat']],
    ['desk', []],
    ['', []],
  ])('%s may call %j', (own, methods) => {
    expect(admitted(admit, sent('web-desk', { 'x-roles': own, 'x-actor': 'ada' }))).toEqual(methods);
    expect(admitted(plaintext, sent(undefined, { 'x-roles': own }))).toEqual(methods);
    expect(admitted(admit, sent('desk', { 'x-roles': own }))).toEqual(methods);
  });

  it('takes nothing from a certificate that has less', () => {
    expect(admitted(admit, sent('gateway', { 'x-roles': 'administrator' }))).toEqual([]);
  });

  it('is required of the web desk, with an actor, except for its own methods', () => {
    for (const metadata of [{}, { 'x-roles': 'moderator' }, { 'x-actor': 'ada' }]) {
      expect(admitted(admit, sent('web-desk', metadata)).filter((method) => method !== 'Repeat')).toEqual([]);
    }
    expect(admitted(admit, sent('web-desk', {}))).toEqual(['Repeat']);
    expect(() => admit(sent('web-desk', {}), '/test.v1.EchoService/Check')).toThrow(
      'web-desk may not call test.v1.EchoService/Check without x-roles and x-actor of a person.',
    );
  });

  it('that is refused learns which roles may', () => {
    const refused = () =>
      admit(sent('web-desk', { 'x-roles': 'support', 'x-actor': 'ada' }), '/test.v1.EchoService/Check');
    expect(refused).toThrow('support may not call test.v1.EchoService/Check; reader, moderator, administrator may.');
  });
});

function callOf(sslPeerCertificate: object | undefined, sent: Record<string, string> = {}): CheckedCall {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(sent)) metadata.set(name, value);
  return { metadata, getAuthContext: () => ({ sslPeerCertificate }) } as unknown as CheckedCall;
}

import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ConfirmedErasureServiceService, ErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import {
  AuthorizationState,
  Decision,
  IdentityServiceService,
  Scope,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { deadlineIn, type Environment, KnowledgeError } from '@knowledge/runtime';
import { type CallOptions, connectGrpc, type GrpcClient } from '@knowledge/runtime/grpc';
import {
  dropDatabases,
  openAll,
  openTestDatabase,
  quietEnvironment,
  type ReceivedMail,
  type SmtpSink,
  type SmtpSinkOptions,
  startServiceProcess,
  startSmtpSink,
} from '@knowledge/runtime/testing';
import type { Db } from 'mongodb';
import { afterAll, vi } from 'vitest';
import { start } from '../service.js';

export const deskCall: CallOptions = { requestId: 'test', actor: 'ana' };

/** The real time plus the time by which a test has moved the clock. */
class TestClock {
  private ahead = 0;
  readonly now = (): Date => new Date(Date.now() + this.ahead);
  forward(ms: number): void {
    this.ahead += ms;
  }
}

export type ServedIdentity = Awaited<ReturnType<typeof serveIdentity>>;

/** Starts the service for one test file, with its own database, the real quota service and a real mail server. */
export async function serveIdentity(
  name: string,
  {
    env = {},
    quotaEnv = { AUTHORIZE_PER_MAIL_DOMAIN: '0' },
    sinkOptions = {},
  }: { env?: Environment; quotaEnv?: Record<string, string>; sinkOptions?: SmtpSinkOptions } = {},
) {
  const clock = new TestClock();
  const served = await openAll(async (opened) => {
    const mongo = openTestDatabase(name);
    const quotaDatabase = `${mongo.db.databaseName}_quota`;
    opened.push(mongo, { close: () => dropDatabases([quotaDatabase]) });
    const sink = await startSmtpSink(sinkOptions);
    opened.push(sink);
    const quota = await startServiceProcess('quota', quotaDatabase, quotaEnv);
    opened.push(quota);
    const running = await start(
      {
        ...quietEnvironment(mongo.db),
        QUOTA_ADDRESS: quota.address,
        SMTP_URL: sink.url,
        MAIL_FROM: 'Community Knowledge Service <no-reply@knowledge.example>',
        OPERATOR_NAME: 'Example Ltd',
        OPERATOR_CONTACT: 'help@knowledge.example',
        PRIVACY_URL: 'https://knowledge.example/privacy',
        PUBLIC_URL_ORG: 'https://knowledge.example/org/',
        PUBLIC_URL_IO: 'https://io.knowledge.example',
        ...env,
      },
      clock.now,
    );
    opened.push(running);
    const { address } = running;
    const identity = connectGrpc(IdentityServiceService, { address, deadlineMs: 10_000 });
    const admin = connectGrpc(GrantAdminServiceService, { address, deadlineMs: 10_000 });
    const erasures = connectGrpc(ErasureServiceService, { address, deadlineMs: 10_000 });
    const confirmed = connectGrpc(ConfirmedErasureServiceService, { address, deadlineMs: 10_000 });
    opened.push(identity, admin, erasures, confirmed);
    await Promise.all([identity.ready(deadlineIn(20_000)), migrated(mongo.db)]);
    const people = peopleOf({ identity, sink });
    const staff = staffOf({ admin, erasures, confirmed });
    return { identity, admin, erasures, confirmed, address, db: mongo.db, clock, sink, ...people, ...staff };
  });
  afterAll(() => served.close());
  return served;
}

// Waits until the collection `tokens` exists, since the schema creates it last.
async function migrated(db: Db): Promise<void> {
  await vi.waitFor(
    async () => {
      if ((await db.collection('tokens').indexes()).length < 2) throw new Error('no indexes yet');
    },
    { timeout: 20_000 },
  );
}

type Identity = GrpcClient<typeof IdentityServiceService>;
type Admin = GrpcClient<typeof GrantAdminServiceService>;

/** What agents and humans do. */
export function peopleOf({ identity, sink }: { identity: Identity; sink: SmtpSink }) {
  type Changes = Partial<Parameters<Identity['createAuthorization']>[0]>;
  const people = {
    /** The mails that an address has got so far. */
    mailsTo: (email: string) => sink.mails.filter(({ to }) => to[0] === email),
    /** Waits for the nth mail to an address, or for one with this subject. Mails that wait together come in any order. */
    mailTo: async (email: string, which: number | string = 1): Promise<ReceivedMail> =>
      vi.waitFor(
        () => {
          const own = people.mailsTo(email);
          const mail =
            typeof which === 'number' ? own[which - 1] : own.find(({ mail: { subject } }) => subject === which);
          if (mail === undefined) throw new Error('no mail yet');
          return mail;
        },
        { timeout: 15_000, interval: 20 },
      ),
    /** Requests an authorization in the same way as an agent. */
    authorize: (email: string, changes: Changes = {}) =>
      identity.createAuthorization(
        {
          requestKey: randomUUID(),
          email,
          agentName: 'Atlas',
          scopes: [Scope.WRITE_INQUIRY, Scope.WRITE_STORY, Scope.WRITE_PROMPT_REPLY],
          purpose: 'To tell of our rollout',
          site: Site.ORG,
          clientAddress: '192.0.2.1',
          renewedTokenId: '',
          clientId: 'atlas/1.0',
          ...changes,
        },
        deskCall,
      ),
    /** Requests an authorization and waits for its mail, the nth of its human. */
    async ask(email: string, changes: Changes = {}, nth = 1) {
      const asked = await people.authorize(email, changes);
      const mail = await people.mailTo(email, nth);
      return { ...asked, id: asked.authorization?.id ?? '', email, mail, code: codeIn(mail) };
    },
    /** Lets a human confirm what an agent asks, by the nth mail, and the agent fetch its token. */
    async grant(email: string, changes: Changes = {}, nth = 1) {
      const asked = await people.ask(email, changes, nth);
      const { accessKey } = await people.decide(asked.code);
      return { ...asked, accessKey, ...(await people.fetchToken(asked.deviceCode)) };
    },
    /** What the page of a code shows. */
    shown: (code: string) => identity.getConfirmation({ code }, deskCall),
    /** What the page of a human shows. */
    access: (accessKey: string) => identity.getAccess({ accessKey }, deskCall),
    /** Ends an access on the page of its human, or all of them. */
    endAccess: (accessKey: string, id = '') => identity.revokeAccess({ accessKey, id, keepWaiting: false }, deskCall),
    /** Turns requests off for some days, with a code or the key of a page. */
    refuse: (by: { code: string } | { accessKey: string }, days: number) =>
      identity.refuseRequests({ code: '', accessKey: '', days, ...by }, deskCall),
    poll: async (deviceCode: string) => (await identity.exchangeDeviceCode({ deviceCode }, deskCall)).outcome,
    /** The answer of a human who typed this user code. */
    decide: (code: string, decision = Decision.CONFIRM, userCode = '') =>
      identity.decideAuthorization({ code, decision, userCode, fromPage: false, keepWaiting: false }, deskCall),
    /** Asks for the link to the own page. */
    mailLink(email: string, { requestId = randomUUID() as string, code = '', hasContributions = false } = {}) {
      const request = { email, code, clientAddress: '', site: Site.ORG, hasContributions };
      return identity.mailAccessLink(request, { requestId });
    },
    /** Fetches the token of a confirmed request. */
    async fetchToken(deviceCode: string) {
      const outcome = await people.poll(deviceCode);
      if (outcome?.$case !== 'issued' || !outcome.value.token) throw new Error(`not issued: ${outcome?.$case}`);
      return { secret: outcome.value.secret, token: outcome.value.token };
    },
    /** What a token resolves to. */
    async resolve(token: string) {
      const { results } = await identity.resolveTokens({ items: [{ token, context: undefined }] }, deskCall);
      return results[0]?.outcome;
    },
  };
  return people;
}

/** What staff does. */
function staffOf({
  admin,
  erasures,
  confirmed,
}: {
  admin: Admin;
  erasures: GrpcClient<typeof ErasureServiceService>;
  confirmed: GrpcClient<typeof ConfirmedErasureServiceService>;
}) {
  return {
    /** Makes a token without a request, as support does. */
    async issue(email: string, changes: Partial<Parameters<Admin['issueToken']>[0]> = {}) {
      const asked = { email, agentName: 'Atlas', scopes: [], reason: '', ...changes };
      const { token, secret } = await admin.issueToken(asked, deskCall);
      if (token === undefined) throw new Error('no token');
      return { token, secret };
    },
    revoke: (tokenId: string, reason: string) =>
      admin.revokeTokenById({ tokenId, reason, keepWaiting: false }, deskCall),
    tokensOf: async (email: string) => (await admin.listTokens({ email, pageSize: 0, pageToken: '' }, deskCall)).tokens,
    /** Erases a person as two staff members and contributions do. Returns what identity deleted. */
    async erase(email: string) {
      const asked = { email, withWork: false, reason: 'T-5' };
      const { erasure } = await erasures.requestErasure(asked, { requestId: randomUUID(), actor: 'first' });
      const erasureId = erasure?.id ?? '';
      await erasures.confirmErasure({ id: erasureId }, { requestId: randomUUID(), actor: 'second' });
      const erased = await admin.erasePerson({ email, erasureId }, { requestId: randomUUID(), actor: 'sam' });
      await confirmed.finishErasure({ id: erasureId }, { requestId: randomUUID() });
      return erased;
    },
    /** The authorizations that staff see, of a person if one is named. */
    authorizationsOf(email: string, changes: Partial<Parameters<Admin['listAuthorizations']>[0]> = {}) {
      const all = { email, state: AuthorizationState.UNSPECIFIED, pageSize: 0, pageToken: '' };
      return admin.listAuthorizations({ ...all, ...changes }, deskCall);
    },
  };
}

export async function refusalOf(promise: Promise<unknown>): Promise<KnowledgeError> {
  return promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => KnowledgeError.from(error),
  );
}

/** The code of its error, or `done`. */
export function outcomeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: unknown) => KnowledgeError.from(error).code,
  );
}

export function codeIn({ mail }: ReceivedMail): string {
  const match = /\/api\/v1\/agent\/authorize\/confirm\?code=([A-Za-z0-9._-]+)/.exec(mail.text ?? '');
  if (match?.[1] === undefined) throw new Error('The mail has no code.');
  return match[1];
}

export function keyIn({ mail }: ReceivedMail): string {
  const match = /\/access\?key=([A-Za-z0-9._-]+)/.exec(mail.text ?? '');
  if (match?.[1] === undefined) throw new Error('The mail has no key.');
  return match[1];
}

import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchServiceService, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ModerationServiceService, PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService, TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { ConfirmedErasureServiceService, ErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { StaffServiceService, StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import { MailAdminServiceService } from '@knowledge/proto/knowledge/mail/v1/mail_admin';
import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { type CallOptions, type ClientMethod, connectGrpc, type Definition, type Tls } from '@knowledge/runtime/grpc';
import type { ServiceName } from './system.js';

/** The proto services that each process serves. */
const served: Record<ServiceName, readonly Definition[]> = {
  content: [
    ContentServiceService,
    EditorialServiceService,
    ArticleDraftServiceService,
    PublicationServiceService,
    SearchServiceService,
    SearchWordsServiceService,
    SearchCountServiceService,
  ],
  quota: [QuotaServiceService, QuotaAdminServiceService],
  identity: [
    IdentityServiceService,
    GrantAdminServiceService,
    ErasureServiceService,
    ConfirmedErasureServiceService,
    MailDomainServiceService,
    StaffSessionServiceService,
    StaffServiceService,
    MailAdminServiceService,
  ],
  contributions: [
    ContributionsServiceService,
    ModerationServiceService,
    PromptServiceService,
    TeamworkServiceService,
    ReasonServiceService,
    MailAdminServiceService,
  ],
};

/**
 * Calls every method of a service with an empty message. Returns the methods that the caller may call, as
 * `Service/Method`.
 */
export async function admittedMethods(
  name: ServiceName,
  address: string,
  tls: Tls,
  person: Pick<CallOptions, 'actor' | 'roles'> = {},
): Promise<string[]> {
  const paths = served[name].flatMap((definition) => Object.values(definition).map(({ path }) => path));
  const client = connectGrpc(Object.fromEntries(paths.map((path) => [path, rawMethod(path)])), { address, tls });
  try {
    const admitted = await Promise.all(paths.map((path) => isAdmitted(path, client[path], person)));
    return paths.filter((_path, at) => admitted[at]).map((path) => path.replace(/^.*\.(?=\w+\/)/, ''));
  } finally {
    client.close();
  }
}

const raw = (bytes: Buffer): Buffer => bytes;

// On the wire every method has streams, so one kind of call works for all methods.
function rawMethod(path: string) {
  const coding = { requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw };
  return { path, requestStream: true, responseStream: true, ...coding } as const;
}

function isAdmitted(
  path: string,
  method: ClientMethod<ReturnType<typeof rawMethod>> | undefined,
  person: Pick<CallOptions, 'actor' | 'roles'>,
): Promise<boolean> {
  return new Promise<boolean>((resolve, reject) => {
    const stream = method?.({ requestId: 'probe', deadline: Date.now() + 20_000, ...person });
    stream?.on('error', () => undefined);
    // A watch does not end by itself, so its metadata is enough.
    stream?.on('metadata', () => stream.cancel());
    stream?.on('status', ({ code, details }) => {
      if (code === unavailableCode || code === deadlineCode) reject(new Error(`${path}: ${details}`));
      else resolve(!/ may not call | only for a person: /.test(details));
    });
    stream?.end(Buffer.alloc(0));
  });
}

const deadlineCode = 4;
const unavailableCode = 14;
